import type { EntryFact } from './entry'
import type { Owner } from './seen'
import type { IndexEntry } from './session-index'

/** Names under which OpenClaw means its own harness. */
const OWN_HARNESSES: ReadonlySet<string> = new Set(['openclaw', 'pi', 'auto', 'default', 'embedded'])

/** What OpenClaw writes as the API of an answer that a command-line harness gave. */
const CLI_API = 'cli'

/** `claude-cli`, `codex-cli`, `google-gemini-cli`: OpenClaw's names for such harnesses as providers. */
const CLI_PROVIDER = /(?:^|-)cli$/

const HARNESS_NAMES: ReadonlyMap<string, string> = new Map([
  ['codex', 'Codex'],
  ['codex-cli', 'Codex CLI'],
  ['codex-app-server', 'Codex'],
  ['claude-cli', 'Claude CLI'],
  ['google-gemini-cli', 'Gemini CLI'],
])

/**
 * Who keeps the real history of a session that OpenClaw lets another harness run
 * (lib/docs/openclaw.md#other-harnesses); null when OpenClaw runs it itself, as far as its index and the answer tell.
 * @param answer the answer of the call in question, or the newest one; null when there is none
 */
export function ownerOf(
  index: IndexEntry | null,
  answer: { readonly provider?: string | null; readonly api?: string | null } | null,
): Owner | null {
  const { provider = null, api = null } = answer ?? {}
  const byAnswer = api === CLI_API || (provider !== null && CLI_PROVIDER.test(provider))
  if (byAnswer) return ownerNamed(provider ?? CLI_API, index)
  const harness = index?.harness
  return harness === undefined || OWN_HARNESSES.has(harness) ? null : ownerNamed(harness, index)
}

/** The same for a session as it is now: by the newest answer of a model. */
export function ownerNow(index: IndexEntry | null, facts: readonly EntryFact[]): Owner | null {
  // A list by sequence numbers may have holes.
  const answer = facts.findLast((fact) => fact?.role === 'assistant' && !fact.transcriptOnly)
  return ownerOf(index, answer ?? null)
}

function ownerNamed(harness: string, index: IndexEntry | null): Owner {
  return { harness, session: index?.harnessSessions?.[harness] ?? null }
}

/** `Claude CLI`; a harness that we do not know keeps its own name. */
export function harnessName({ harness }: Owner): string {
  return HARNESS_NAMES.get(harness) ?? harness
}

/** What that means for a reader of the session. */
export function mirrorWords(owner: Owner): string {
  const name = harnessName(owner)
  return `${name} ran this, keeps the real history and compacts it. This transcript is OpenClaw's mirror: what the model saw may be something else.`
}

/** Why the mirror is not compacted, and what to do instead. */
export function mirrorRefusal(owner: Owner): string {
  const name = harnessName(owner)
  const where = owner.session === null ? '' : ` (its session ${owner.session})`
  return `${name} keeps the real history of this session${where}; this transcript is a mirror, and compacting it would change nothing that the model sees. Compact it in ${name}, or let OpenClaw run the session itself again.`
}
