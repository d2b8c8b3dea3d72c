/** A section of a system prompt. `perTurn`: its text may differ in every turn, so nothing behind it can be cached. */
type PromptSection = { readonly name: string; readonly text: string; readonly perTurn?: boolean }

/** What a system prompt is made of, anew for every turn. Empty and absent parts are left out. */
export type SystemPromptParts = {
  readonly identity: string
  readonly safety?: string
  readonly tools?: string
  readonly user?: string
  /** How to look into a memory, for an agent that has one. */
  readonly memory?: string
  /** Workspace files as the bootstrap puts them in, in order. */
  readonly files?: readonly { readonly name: string; readonly text: string }[]
  readonly runtime?: string
  readonly time?: string
  /** What is worked on, and what that needs of earlier work. */
  readonly tasks?: string
  /** Recalled context for this prompt, from memory or earlier sessions. */
  readonly recall?: string
  /** Something for this one turn, such as the request to save what matters. */
  readonly notice?: string
}

/** A system prompt, whole and in its sections. */
export type SystemPrompt = {
  /** In the order in which they are sent. */
  readonly sections: readonly PromptSection[]
  /** Equal byte for byte as long as no part of it changes: what a provider can cache. */
  readonly stable: string
  readonly perTurn: string
  readonly text: string
}

/** The line above the workspace files, so that the model takes them for its own instructions. */
const FILES_HEADING = '# Project Context'

const GAP = '\n\n'

/**
 * Builds the system prompt of a turn from its parts: identity, safety, tools, user, memory, workspace files, then what
 * changes from turn to turn: runtime, time, tasks, recalled context. The order keeps a new time from spoiling the
 * provider's cache of all that is before it. Texts go in as they are.
 */
export function buildSystemPrompt(parts: SystemPromptParts): SystemPrompt {
  const files = (parts.files ?? []).filter(({ text }) => text !== '')
  const all: readonly PromptSection[] = [
    { name: 'identity', text: parts.identity },
    { name: 'safety', text: parts.safety ?? '' },
    { name: 'tools', text: parts.tools ?? '' },
    { name: 'user', text: parts.user ?? '' },
    { name: 'memory', text: parts.memory ?? '' },
    ...files.map(({ name, text }, at) => ({
      name,
      text: `${at === 0 ? FILES_HEADING + GAP : ''}## ${name}${GAP}${text}`,
    })),
    { name: 'runtime', text: parts.runtime ?? '', perTurn: true },
    { name: 'time', text: parts.time ?? '', perTurn: true },
    { name: 'tasks', text: parts.tasks ?? '', perTurn: true },
    { name: 'recall', text: parts.recall ?? '', perTurn: true },
    { name: 'notice', text: parts.notice ?? '', perTurn: true },
  ]
  const sections = all.filter(({ text }) => text !== '')
  const textOf = (wanted: boolean) =>
    sections
      .filter(({ perTurn = false }) => perTurn === wanted)
      .map(({ text }) => text)
      .join(GAP)
  const stable = textOf(false)
  const perTurn = textOf(true)
  return { sections, stable, perTurn, text: [stable, perTurn].filter((text) => text !== '').join(GAP) }
}

/** A block of Anthropic's `system` parameter. */
export type SystemBlock = {
  readonly type: 'text'
  readonly text: string
  readonly cache_control?: { readonly type: 'ephemeral' }
}

/**
 * The system prompt in blocks for providers that cache on a marker (Anthropic, Bedrock): one marker, at the end of the
 * stable part, which with the tools before it makes up the cached prefix. No block is empty, since a marker on an
 * empty text is refused.
 *
 * @example
 * ```ts
 * import { type AssembledRequest, cachedSystemBlocks, type ContentMessage } from 'plimsoll-agent'
 *
 * declare const request: AssembledRequest<ContentMessage>
 * const system = cachedSystemBlocks(request.system)
 * ```
 */
export function cachedSystemBlocks(prompt: SystemPrompt): SystemBlock[] {
  const blocks: SystemBlock[] = []
  if (prompt.stable !== '') {
    blocks.push({ type: 'text', text: prompt.stable, cache_control: { type: 'ephemeral' } })
  }
  if (prompt.perTurn !== '') {
    blocks.push({ type: 'text', text: (prompt.stable === '' ? '' : GAP) + prompt.perTurn })
  }
  return blocks
}

/**
 * The line that tells a model the time.
 * @param at milliseconds since the epoch
 * @param timeZone IANA name of the user's zone; an unknown one counts as UTC
 *
 * @example
 * ```ts
 * import { timeLine } from 'plimsoll-agent'
 *
 * timeLine(Date.now(), 'Europe/Berlin')
 * ```
 */
export function timeLine(at: number, timeZone: string): string {
  const zone = knownZone(timeZone)
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'long',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((p) => p.type === type)?.value ?? ''
  return `Current time: ${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')} (${zone}, ${part('weekday')})`
}

function knownZone(timeZone: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return timeZone
  } catch {
    return 'UTC'
  }
}
