/** Scroll is what is wider than its place now and then: also who has no mouse gets to its end. */
export function Scroll({ name, children }: { name: string; children: React.ReactNode }) {
  return <div className="scroll" tabIndex={0} role="group" aria-label={name}>{children}</div>;
}
