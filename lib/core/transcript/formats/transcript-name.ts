/** What the name of a transcript file says about it. */
export type TranscriptName = {
  /** The runtime's session id as far as the name carries it. */
  readonly sessionId: string
  readonly state: 'live' | 'reset' | 'deleted' | 'backup' | 'checkpoint' | 'imported'
  /** Zstandard-compressed. */
  readonly compressed: boolean
}

type NameRule = { readonly pattern: RegExp; readonly state: TranscriptName['state'] }

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/**
 * Archived names of every OpenClaw release (lib/docs/openclaw.md#file-names), most particular first; group 1 is the
 * session.
 */
const RULES: readonly NameRule[] = [
  { pattern: /^(.+)\.jsonl\.deleted\.[^/]+$/, state: 'deleted' },
  { pattern: /^(.+)\.jsonl\.reset\.[^/]+$/, state: 'reset' },
  { pattern: /^(.+)\.jsonl\.imported-\d+(?:\.\d+)?$/, state: 'imported' },
  { pattern: /^(.+)\.jsonl\.migrated(?:\.\d+)?$/, state: 'imported' },
  { pattern: /^(.+)\.jsonl\.bak(?:[.-][^/]+)?$/, state: 'backup' },
  { pattern: /^(.+)\.jsonl\.pre-doctor-[^/]+\.bak$/, state: 'backup' },
  { pattern: /^(.+?)(?:\.jsonl)?\.corrupt-[^/]+\.jsonl$/, state: 'backup' },
  { pattern: new RegExp(`^(.+)\\.checkpoint\\.${UUID}\\.jsonl$`, 'i'), state: 'checkpoint' },
  { pattern: /^(.+)\.jsonl$/, state: 'live' },
]

/** Files beside transcripts that hold something else: run traces, locks, half-written files. */
const NOT_TRANSCRIPTS = /\.trajectory\.jsonl|\.lock$|\.tmp$/

/** By far the most names: a live transcript without anything added. */
const PLAIN = /^[^.]+\.jsonl$/

export function isTranscriptName(name: string): boolean {
  return PLAIN.test(name) || readTranscriptName(name) !== null
}

/** Reads a file name of a sessions folder; null when it does not name a transcript. */
export function readTranscriptName(name: string): TranscriptName | null {
  if (NOT_TRANSCRIPTS.test(name)) return null
  const compressed = name.endsWith('.zst')
  const plain = compressed ? name.slice(0, -'.zst'.length) : name
  for (const { pattern, state } of RULES) {
    const stem = pattern.exec(plain)?.[1]
    if (stem === undefined) continue
    // A compressed transcript is not appended to, whatever its name.
    return {
      sessionId: sessionIdOf(stem, state),
      state: compressed && state === 'live' ? 'backup' : state,
      compressed,
    }
  }
  return null
}

const ENDS_IN_UUID = new RegExp(`${UUID}$`, 'i')
/** pi names its files `<time>_<id>`; the time has `-` for `:`. */
const PI_STEM = /^\d{4}-\d{2}-\d{2}T[\d-]+(?:\.\d+)?Z?_(.+)$/
const TOPIC = /-topic-[^-]+$/

function sessionIdOf(stem: string, state: TranscriptName['state']): string {
  // An import puts the session key before the id: `<key>.<id>.jsonl.imported-<ms>`.
  if (state === 'imported') return ENDS_IN_UUID.exec(stem)?.[0] ?? stem.slice(stem.indexOf('.') + 1)
  const withoutTime = PI_STEM.exec(stem)?.[1] ?? stem
  return withoutTime.replace(TOPIC, '')
}
