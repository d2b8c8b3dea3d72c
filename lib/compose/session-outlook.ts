import { readBackwards } from '../adapters/files/read-backwards'
import { claudeCodeSettingsNow } from '../adapters/sources/claude-code/settings-now'
import { type SessionOutlook, sessionOutlook } from '../core/budget/session-outlook'
import { type LastCalls, LastCallsReader } from '../core/sources/claude-code/last-calls'
import type { StatuslineInput } from '../core/sources/claude-code/statusline-input'
import { NO_PRICES } from '../core/tokens/own-prices'
import type { Bytes, Milliseconds } from '../core/units/units'
import { readSetupAnyway } from './lenient-setup'
import type { Variables } from './setup'

/** More of the end of a transcript is not read: a prompt is waiting. */
const MOST_READ: Bytes = 4_000_000

/** What lies ahead of the session that Claude Code names. Reads the end of its transcript; writes nothing. */
export function outlookOf(
  input: StatuslineInput,
  { env, cwd, now }: { readonly env: Variables; readonly cwd: string; readonly now: Milliseconds },
): SessionOutlook {
  const setup = readSetupAnyway(env, cwd)
  const prices = setup.ok ? setup.setup.settings.prices : NO_PRICES
  const files = claudeCodeSettingsNow(env, input.project)
  const calls = input.transcript === null ? null : lastCallsIn(input.transcript)
  return sessionOutlook(input, calls, { prices, files }, now)
}

function lastCallsIn(transcript: string): LastCalls | null {
  const reader = new LastCallsReader()
  const read = readBackwards(transcript, MOST_READ, (line) => reader.take(line))
  return read ? reader.end() : null
}
