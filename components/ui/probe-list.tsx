import { CheckGlyph, CrossGlyph } from './glyphs'

/** A place that was examined. */
export type ProbedPath = {
  readonly path: string
  readonly kind: string
  readonly found: boolean
  /** Why it was examined, in words. */
  readonly why: string
  readonly problem: string | null
}

/** Every path that was probed, with the word found or not found. */
export function ProbeList({ probes }: { probes: readonly ProbedPath[] }) {
  return (
    <ul className="flex flex-col gap-1 text-table">
      {probes.map((probe) => (
        <li key={`${probe.kind} ${probe.path}`} className="flex items-start gap-2">
          <span className={probe.found ? 'mt-0.5 text-ok' : 'mt-0.5 text-muted'}>
            {probe.found ? <CheckGlyph /> : <CrossGlyph />}
          </span>
          <span className="min-w-0">
            <code className="isolate-text">{probe.path}</code>
            <span className="text-muted">
              {` · ${probe.kind} · ${probe.why} · ${probe.found ? 'found' : 'not found'}`}
            </span>
            {probe.problem && <span className="isolate-text text-attention">{` · ${probe.problem}`}</span>}
          </span>
        </li>
      ))}
    </ul>
  )
}
