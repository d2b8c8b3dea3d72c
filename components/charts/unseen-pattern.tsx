/** Side of one repeat, in pixels: wider than the textures of the categories, so that both read where they overlap. */
const CELL = 8
const STROKE = 'M-2 10 10 -2M-2 2 2 -2M6 10 10 6'

/**
 * What a provider did not see: what lies below, paled, under strokes in the colour of the words. Definition for the
 * <svg> that uses it; fill shapes with `url(#id)`.
 */
export function UnseenPattern({ id }: { id: string }) {
  return (
    <defs>
      <pattern id={id} width={CELL} height={CELL} patternUnits="userSpaceOnUse">
        <rect width={CELL} height={CELL} fill="var(--surface)" fillOpacity="0.6" />
        <path d={STROKE} fill="none" stroke="var(--text)" strokeWidth="1" strokeOpacity="0.75" />
      </pattern>
    </defs>
  )
}

/** The same as a sign in a legend; its words are beside it. */
export function UnseenSwatch({ id }: { id: string }) {
  return (
    <svg width="16" height="12" aria-hidden="true" className="inline-block shrink-0">
      <UnseenPattern id={id} />
      <rect x="0.5" y="0.5" width="15" height="11" fill={`url(#${id})`} stroke="var(--line-strong)" />
    </svg>
  )
}
