import { getLocalTimeZone, parseDate, startOfMonth, today, type CalendarDate } from '@internationalized/date';
import {
  Button, CalendarCell, CalendarGrid, CalendarGridBody, CalendarGridHeader, CalendarHeaderCell, Dialog, DialogTrigger, Heading,
  Popover, RangeCalendar,
} from 'react-aria-components';
import { Icon } from '../ui/Icon';
import { useWords, type Key } from '../words/words';
import type { Change } from './FilterBar';
import type { Filters } from './filters';

/** useDays is what a person reads of the days that are chosen; empty where there are none. */
export function useDays({ from, until }: Filters): string {
  const { locale } = useWords();
  if (!from && !until) return '';
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const at = (text: string) => parseDate(text).toDate(getLocalTimeZone());
  if (from && until) return format.formatRange(at(from), at(until));
  return from ? `${format.format(at(from))} –` : `– ${format.format(at(until ?? ''))}`;
}

function presets(): [Key, CalendarDate, CalendarDate][] {
  const now = today(getLocalTimeZone());
  return [
    ['transactions.today', now, now],
    ['transactions.yesterday', now.subtract({ days: 1 }), now.subtract({ days: 1 })],
    ['transactions.week', now.subtract({ days: 6 }), now],
    ['transactions.month', startOfMonth(now), now],
  ];
}

export function DayFilter({ filters, narrow }: { filters: Filters; narrow: (change: Change) => void }) {
  const { say } = useWords();
  const isSet = Boolean(filters.from ?? filters.until);
  return (
    <DialogTrigger>
      <Button className={isSet ? 'button filter active' : 'button filter'}>{say('transactions.day')}<Icon name="down" /></Button>
      <Popover className="popover" placement="bottom start">
        <Dialog className="popover-form days" aria-label={say('transactions.day')}>
          {({ close }) => <Days filters={filters} narrow={(change) => { close(); narrow(change); }} />}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}

function Days({ filters: { from, until }, narrow }: { filters: Filters; narrow: (change: Change) => void }) {
  const { say } = useWords();
  const choose = (start: CalendarDate, end: CalendarDate) => narrow({ from: start.toString(), until: end.toString() });
  return (
    <>
      <div className="presets">
        {presets().map(([name, start, end]) => (
          <button key={name} type="button" className="button quiet" onClick={() => choose(start, end)}>{say(name)}</button>
        ))}
        <button type="button" className="button quiet" onClick={() => narrow({ from: undefined, until: undefined })}>
          {say('transactions.dayAny')}
        </button>
      </div>
      <RangeCalendar
        className="calendar" aria-label={say('transactions.day')} maxValue={today(getLocalTimeZone())}
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
    </>
  );
}
