// A chart of values over time, with its table beside it. It is drawn anew when the theme or the width changes.
import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import { useWords } from '../words/words';
import { Scroll } from '../ui/Scroll';

export interface Series {
  name: string;
  /** A variable of the design. */
  color: '--brand' | '--good' | '--bad' | '--wait' | '--idle';
  values: (number | null)[];
  /** What a person reads of a value. */
  write: (value: number) => string;
  /** A share is drawn by a scale of its own. Color alone tells nothing: each line has dashes of its own. */
  isShare?: boolean;
}

/** dashes are of the first line, the second, and so on. */
const dashes: readonly { sign: string; line?: number[] }[] = [
  { sign: '━' }, { sign: '┅', line: [6, 4] }, { sign: '┈', line: [2, 3] }, { sign: '╍', line: [12, 4] }, { sign: '┉', line: [8, 3, 2, 3] },
];

/** colorOf is what a variable comes to in the present theme: the canvas knows no variables. */
function colorOf(variable: string) {
  const probe = document.createElement('span');
  probe.style.color = `var(${variable})`;
  document.body.append(probe);
  const color = getComputedStyle(probe).color;
  probe.remove();
  return color;
}

/** useTheme changes whenever the page looks otherwise. */
function useTheme() {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const changed = () => setCount((n) => n + 1);
    const watch = new MutationObserver(changed);
    watch.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', changed);
    return () => { watch.disconnect(); dark.removeEventListener('change', changed); };
  }, []);
  return count;
}

export function Chart({ title, times, writeTime, series, narrow }: {
  title: string; times: number[]; writeTime: (seconds: number) => string; series: Series[]; narrow?: (index: number) => void;
}) {
  const { say, zone } = useWords();
  const box = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  const latest = useRef({ narrow, writeTime, series });
  latest.current = { narrow, writeTime, series };
  const data = JSON.stringify([times, series.map((s) => s.values)]);
  useEffect(() => {
    const place = box.current;
    if (!place) return;
    const [text, line] = [colorOf('--muted'), colorOf('--line')];
    const axis = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
    const drawn = latest.current.series;
    const plot = new uPlot({
      width: Math.max(place.clientWidth, 200), height: 240, legend: { show: false },
      tzDate: (at) => uPlot.tzDate(new Date(at * 1000), zone), // a day begins where the installation is
      scales: { x: { time: true }, share: { range: [0, 100] } },
      cursor: { drag: { x: false, y: false } },
      axes: [
        { ...axis, values: (_, at) => at.map((t) => latest.current.writeTime(t)), space: 90 },
        { ...axis, scale: 'y', size: 60 },
        ...(drawn.some((s) => s.isShare) ? [{ ...axis, scale: 'share', side: 1 as const, size: 50, values: (_: uPlot, at: number[]) => at.map((v) => `${v}%`) }] : []),
      ],
      series: [{}, ...drawn.map((s, i) => ({
        label: s.name, stroke: colorOf(s.color), width: 2, scale: s.isShare ? 'share' : 'y', ...(dashes[i]?.line && { dash: dashes[i].line }), points: { show: times.length < 40, size: 6 },
      }))],
    }, JSON.parse(data) as uPlot.AlignedData, place);
    const flat = [times, ...drawn.map((s) => s.values)] as uPlot.AlignedData;
    plot.setData(flat);
    const clicked = () => {
      const at = plot.cursor.idx;
      if (at !== null && at !== undefined) latest.current.narrow?.(at);
    };
    plot.over.addEventListener('click', clicked);
    const resize = new ResizeObserver(() => plot.setSize({ width: Math.max(place.clientWidth, 200), height: 240 }));
    resize.observe(place);
    return () => { resize.disconnect(); plot.destroy(); };
  }, [data, theme, zone]);
  return (
    <section className="panel chart" aria-label={title}>
      <h2>{title}</h2>
      <p className="muted" aria-hidden="true">{series.map((s, i) => `${dashes[i]?.sign ?? '━'} ${s.name}`).join('   ')}</p>
      <div className="plot" ref={box} aria-hidden="true" />
      <details>
        <summary>{say('banking.table')}</summary>
        <Scroll name={title}>
          <table className="small">
            <thead><tr><th scope="col">{say('banking.time')}</th>{series.map((s) => <th key={s.name} scope="col">{s.name}</th>)}</tr></thead>
            <tbody>
              {times.map((t, i) => (
                <tr key={t}>
                  <th scope="row">{narrow ? <button type="button" className="button quiet" onClick={() => narrow(i)}>{writeTime(t)}</button> : writeTime(t)}</th>
                  {series.map((s) => { const v = s.values[i]; return <td key={s.name}>{v === null || v === undefined ? '–' : s.write(v)}</td>; })}
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      </details>
    </section>
  );
}
