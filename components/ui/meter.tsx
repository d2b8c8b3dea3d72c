import { classes } from './classes'

/** A level on a meter that means something, as a share of its full length (0–1). */
export type MeterLine = {
  readonly at: number
  readonly label: string
  /** Drawn as a Plimsoll mark; the others are ticks. */
  readonly major?: boolean
}

const TONE_FILL = {
  neutral: 'fill-fill',
  attention: 'fill-attention',
  danger: 'fill-danger',
} as const

/**
 * How full something is, with its load lines as small Plimsoll marks. Never clickable. Over-full is drawn as full with
 * an open end; an unknown value is an empty, dashed track.
 */
export function Meter({
  share,
  label,
  lines = [],
  tone = 'neutral',
  className,
}: {
  /** Filled share, 0–1 and beyond; null when unknown. */
  share: number | null
  /** The whole sentence for readers who do not see the bar. */
  label: string
  lines?: readonly MeterLine[]
  tone?: keyof typeof TONE_FILL
  className?: string
}) {
  const width = share === null ? 0 : Math.min(1, Math.max(share > 0 ? 0.004 : 0, share))
  return (
    <svg
      role="img"
      aria-label={label}
      width="100%"
      height="18"
      className={classes('block min-w-0 overflow-visible', className)}
    >
      <rect
        x="0"
        y="5"
        width="100%"
        height="8"
        rx="2"
        className={share === null ? 'fill-none stroke-line-strong' : 'fill-inset'}
        strokeDasharray={share === null ? '3 3' : undefined}
      />
      {share !== null && (
        <rect x="0" y="5" width={percent(width)} height="8" rx="2" className={TONE_FILL[tone]} />
      )}
      {share !== null && share > OVERFULL && (
        <svg x="100%" y="9" data-over className="overflow-visible">
          <title>more than the whole</title>
          <path
            d="M-11 -3.5l3.5 3.5-3.5 3.5M-6 -3.5l3.5 3.5-3.5 3.5"
            className="fill-none stroke-surface"
            strokeWidth="1.5"
          />
        </svg>
      )}
      {lines.map((line) =>
        line.major ? (
          <g key={line.label} className="stroke-text">
            <title>{line.label}</title>
            <line x1={percent(line.at)} x2={percent(line.at)} y1="1" y2="17" strokeWidth="1.25" />
            <circle cx={percent(line.at)} cy="9" r="2.75" className="fill-surface" strokeWidth="1.25" />
          </g>
        ) : (
          <line
            key={line.label}
            x1={percent(line.at)}
            x2={percent(line.at)}
            y1="5"
            y2="13"
            className="stroke-surface"
          />
        ),
      )}
    </svg>
  )
}

/** Above this share the bar is full and says that there is more. Rounding is no overflow. */
const OVERFULL = 1.005

function percent(share: number): string {
  return `${(share * 100).toFixed(2)}%`
}
