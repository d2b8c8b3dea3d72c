import type { Tokens } from '../../core/units/units'
import { formatCount, formatQuantity } from '../text/format'

/** What a setting would do to one session: its line, the calls at or above it and the next call, now and then. */
type TriedSession = {
  readonly sessionId: string
  readonly lineNow: Tokens | null
  readonly lineThen: Tokens | null
  readonly aboveNow: number
  readonly aboveThen: number
  readonly nextNow: boolean
  readonly nextThen: boolean
}

type TriedSetting = {
  readonly sessions: readonly TriedSession[]
  readonly more: number
  readonly problems: readonly object[]
}

/** Sessions that are named. */
const MOST_NAMED = 5

/**
 * What a setting would do to the newest sessions of its store, in sentences; sessions below the first are indented. Nothing
 * where it was tried on none.
 */
export function previewLines({ sessions, more, problems }: TriedSetting): readonly string[] {
  if (sessions.length + problems.length === 0) return []
  const moved = sessions.filter(({ lineNow, lineThen }) => lineNow !== lineThen)
  const tried = `${formatQuantity(sessions.length, 'session')} of the store`
  const older = more === 0 ? '' : ` (${formatQuantity(more, 'older one')} not tried)`
  const unread =
    problems.length === 0 ? '' : `; ${formatQuantity(problems.length, 'session')} could not be read`
  if (moved.length === 0)
    return [`No line moves in ${tried}${older}${unread}; it counts from the next compaction or request on.`]
  const [above, then] = [sum(moved, 'aboveNow'), sum(moved, 'aboveThen')]
  return [
    `In ${formatQuantity(moved.length, 'session')} of ${tried}${older}${unread} the line moves: ${formatQuantity(above, 'call')} were at or above it as it is, ${formatCount(then)} as it would be.`,
    ...moved.slice(0, MOST_NAMED).map(movedLine),
    ...(moved.length > MOST_NAMED
      ? [`  … and ${formatQuantity(moved.length - MOST_NAMED, 'other session')}`]
      : []),
  ]
}

function movedLine({
  sessionId,
  lineNow,
  lineThen,
  aboveNow,
  aboveThen,
  nextNow,
  nextThen,
}: TriedSession): string {
  const tokens = (line: number | null) => (line === null ? 'no line' : formatCount(line))
  const next =
    nextNow === nextThen
      ? ''
      : nextThen
        ? '; its next call would compact'
        : '; its next call would not compact any more'
  return `  ${sessionId}: ${tokens(lineNow)} → ${tokens(lineThen)} tokens, ${aboveNow} → ${aboveThen} calls${next}`
}

function sum(previews: readonly TriedSession[], name: 'aboveNow' | 'aboveThen'): number {
  return previews.reduce((total, preview) => total + preview[name], 0)
}
