// Small pictures beside words; none stands alone without a name.
const paths = {
  menu: 'M3 5h14M3 10h14M3 15h14',
  search: 'M9 3.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 0 0 0-11M13 13l4 4',
  down: 'M5.5 8l4.5 4.5L14.5 8',
  left: 'M12 4.5L6.5 10l5.5 5.5',
  right: 'M8 4.5l5.5 5.5L8 15.5',
  close: 'M5 5l10 10M15 5L5 15',
  check: 'M4.5 10.5l3.5 3.5l7.5-8',
  clock: 'M10 3a7 7 0 1 0 0 14a7 7 0 0 0 0-14M10 6.5V10l2.5 2',
  moving: 'M3.5 10a6.5 6.5 0 0 1 11-4.7M14.5 2.5v3h-3M16.5 10a6.5 6.5 0 0 1-11 4.7M5.5 17.5v-3h3',
  eye: 'M2 10s3-5 8-5s8 5 8 5s-3 5-8 5s-8-5-8-5M10 7.8a2.2 2.2 0 1 0 0 4.4a2.2 2.2 0 0 0 0-4.4',
  back: 'M8 4L3.5 8.5L8 13M4 8.5h7.500a4.500 4.500 0 0 1 0 9H9',
  warning: 'M10 3l7.500 13.500h-15zM10 8v4M10 14.200v.1',
  list: 'M3 5.500h14M3 10h14M3 14.500h9',
  book: 'M4 3.500h9.500a2 2 0 0 1 2 2v11H6a2 2 0 0 1-2-2zM4 14.500a2 2 0 0 1 2-2h9.500',
  person: 'M10 3.500a3 3 0 1 0 0 6a3 3 0 0 0 0-6M4 16.500c.6-3 3-4.500 6-4.500s5.400 1.500 6 4.500',
  copy: 'M7 7h9v9.500H7zM4 13V3.500h9',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return <svg className="icon" viewBox="0 0 20 20" aria-hidden="true"><path d={paths[name]} /></svg>;
}
