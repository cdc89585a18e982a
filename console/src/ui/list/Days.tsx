// Days of the installation's zone: a calendar, and the days that are asked for most.
import { parseDate, startOfMonth, today, type CalendarDate } from '@internationalized/date';
import {
  Button, CalendarCell, CalendarGrid, CalendarGridBody, CalendarGridHeader, CalendarHeaderCell, Heading, RangeCalendar,
} from 'react-aria-components';
import { useWords, type Key } from '../../words/words';
import { Icon } from '../Icon';
import type { Narrow } from './FilterBar';
import type { Filter, Search } from './filters';

/** useDays is what a person reads of the days that are chosen; empty where there are none. */
export function useDays([from, until]: readonly (string | undefined)[]): string {
  const { locale } = useWords();
  if (!from && !until) return '';
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const at = (text: string) => parseDate(text).toDate('UTC');
  if (from && until) return format.formatRange(at(from), at(until));
  return from ? `${format.format(at(from))} –` : `– ${format.format(at(until ?? ''))}`;
}

function presets(zone: string): [Key, CalendarDate, CalendarDate][] {
  const now = today(zone);
  const last = startOfMonth(now).subtract({ days: 1 });
  return [
    ['list.today', now, now],
    ['list.yesterday', now.subtract({ days: 1 }), now.subtract({ days: 1 })],
    ['list.week', now.subtract({ days: 6 }), now],
    ['list.month', startOfMonth(now), now],
    ['list.lastMonth', startOfMonth(last), last],
  ];
}

export function DayPicker({ filter, search, narrow }: { filter: Extract<Filter, { kind: 'days' }>; search: Search; narrow: Narrow }) {
  const { say, zone } = useWords();
  const [first, last] = filter.names;
  const [from, until] = [search[first], search[last]];
  const choose = (start: CalendarDate, end: CalendarDate) => narrow({ [first]: start.toString(), [last]: end.toString() });
  return (
    <>
      <div className="presets">
        {presets(zone).map(([name, start, end]) => (
          <button key={name} type="button" className="button quiet" onClick={() => choose(start, end)}>{say(name)}</button>
        ))}
        <button type="button" className="button quiet" onClick={() => narrow({ [first]: undefined, [last]: undefined })}>
          {say('list.anyDay')}
        </button>
      </div>
      <div>
        <RangeCalendar
          className="calendar" aria-label={say(filter.label)} maxValue={today(zone)}
          defaultValue={from && until ? { start: parseDate(from), end: parseDate(until) } : null}
          onChange={({ start, end }) => choose(start, end)}
        >
          <header>
            <Button slot="previous" className="button quiet square"><Icon name="left" /></Button>
            <Heading />
            <Button slot="next" className="button quiet square"><Icon name="right" /></Button>
          </header>
          <CalendarGrid>
            <CalendarGridHeader>{(d) => <CalendarHeaderCell>{d}</CalendarHeaderCell>}</CalendarGridHeader>
            <CalendarGridBody>{(date) => <CalendarCell date={date} className="calendar-day" />}</CalendarGridBody>
          </CalendarGrid>
        </RangeCalendar>
        <p className="muted zone">{say('list.zone', { zone })}</p>
      </div>
    </>
  );
}
