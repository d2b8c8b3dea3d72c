import { type Span, scanSpans } from '../relevance/spans'
import type { SourceMessage } from './source-message'

/** Arguments that are nested deeper than tools nest them are left out. */
const MAX_DEPTH = 6

/** Calls `visit` for each span of a message: of its text, and of all texts in the arguments of its calls. */
export function forSpans(message: SourceMessage, visit: (span: Span) => void): void {
  scanSpans(message.text, visit)
  const { calls } = message
  for (let at = 0; at < calls.length; at++) scanInside(calls[at]?.input, visit, 0)
}

function scanInside(value: unknown, visit: (span: Span) => void, depth: number): void {
  if (typeof value === 'string') scanSpans(value, visit)
  else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH)
    for (const part of Object.values(value)) scanInside(part, visit, depth + 1)
}
