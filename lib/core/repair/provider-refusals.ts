import { ALPHANUMERIC_IDS, type IdRule, NINE_IDS, renamePartCalls, STRICT_IDS } from '../history/call-ids'
import { type ProviderFamily, providerFamily } from '../history/provider-order'
import type { Branches } from '../transcript/branches'
import { contextAt } from '../transcript/context'
import type { EntryFact } from '../transcript/entry'
import type { DraftEntry } from './draft'
import type { FindingClass } from './finding'

/** Why a provider would refuse a history as it is. */
export type ProviderRefusal = {
  readonly family: ProviderFamily
  /** The family of the provider that answered last. */
  readonly own: boolean
  readonly because: string
  /** The first line that is to blame, and how often there is cause. */
  readonly line: number
  readonly count: number
  /** OpenClaw and pi put it right each time they send; others may not. */
  readonly healed: boolean
}

type Demands = { readonly ids: IdRule | null; readonly alternate: boolean; readonly userFirst: boolean }

/** What each family demands besides calls and results in pairs (lib/docs/openclaw.md#demands-of-providers). */
const DEMANDS: { readonly [F in ProviderFamily]: Demands } = {
  anthropic: { ids: STRICT_IDS, alternate: false, userFirst: true },
  openai: { ids: null, alternate: false, userFirst: false },
  google: { ids: ALPHANUMERIC_IDS, alternate: true, userFirst: true },
  mistral: { ids: NINE_IDS, alternate: true, userFirst: false },
  other: { ids: null, alternate: true, userFirst: false },
}

const FAMILIES: readonly ProviderFamily[] = ['anthropic', 'openai', 'google', 'mistral']

/** What is wrong with a message, in a provider's terms. */
const FLAWS: { readonly [C in FindingClass]?: string } = {
  'blank-user': 'a user message has no text',
  'no-content': 'a message has no content',
  'broken-block': 'a message holds something that is no content',
  'broken-image': 'an image cannot be decoded',
  'incomplete-call': 'a tool call lacks its id, its name or its input',
}

/** What the providers would say to the branch that the conversation goes on from. */
export function providerRefusals(branches: Branches): readonly ProviderRefusal[] {
  const messages = sentMessages(branches)
  const last = messages.findLast((message) => message.role === 'assistant' && message.provider !== undefined)
  const own = last?.provider === undefined ? null : providerFamily(last.provider, last.api)
  const common = [...pairRefusals(messages), ...flawRefusals(messages)]
  return FAMILIES.flatMap((family) =>
    [...common, ...demandRefusals(messages, DEMANDS[family])].map((refusal) => ({
      family,
      own: family === own,
      ...refusal,
    })),
  )
}

type Cause = Omit<ProviderRefusal, 'family' | 'own'>

/** The context, without what no runtime sends: rows for the reader, failed turns and their results. */
function sentMessages(branches: Branches): readonly EntryFact[] {
  const failed = new Set<string>()
  const messages: EntryFact[] = []
  for (const entry of contextAt(branches, branches.leaf, 'pi', 'full')) {
    const { fact } = entry
    if (!entry.sent) {
      if (entry.why === 'failed-turn') for (const { id } of fact.calls ?? []) failed.add(id)
      const isOrphan = entry.why === 'orphaned-result' || entry.why === 'duplicate-result'
      if (!isOrphan || failed.has(fact.resultFor ?? '')) continue
    }
    messages.push(fact)
  }
  return messages
}

/** Calls and results: every call has one result, right behind the message that made it. */
function pairRefusals(messages: readonly EntryFact[]): readonly Cause[] {
  const causes = new Causes()
  let open = new Map<string, EntryFact>()
  let answered = new Set<string>()
  let isBehind = false
  const close = () => {
    for (const [id, by] of open) causes.add(`the tool call ${shown(id)} has no result`, 'unanswered', by)
  }
  for (const message of messages) {
    if (message.role === 'toolResult') {
      const id = message.resultFor ?? ''
      if (!open.delete(id)) {
        const why = answered.has(id) ? 'has been answered before' : 'does not exist'
        causes.add(`a tool result answers the call ${shown(id)}, which ${why}`, why, message)
      } else if (isBehind) causes.add('a tool result is away from its call', 'displaced', message)
      answered.add(id)
    } else if (message.role === 'assistant' && message.calls !== undefined) {
      close()
      open = new Map(message.calls.map(({ id }) => [id, message]))
      answered = new Set()
      isBehind = false
    } else isBehind = true
  }
  close()
  return causes.list()
}

function flawRefusals(messages: readonly EntryFact[]): readonly Cause[] {
  const causes = new Causes()
  for (const message of messages) {
    for (const flaw of flawsOf(message)) {
      const because = FLAWS[flaw]
      if (because !== undefined) causes.add(because, because, message)
    }
  }
  return causes.list()
}

function flawsOf(message: EntryFact): readonly FindingClass[] {
  return 'flaws' in message ? (message as DraftEntry).flaws : []
}

function demandRefusals(messages: readonly EntryFact[], demands: Demands): readonly Cause[] {
  const causes = new Causes(true)
  if (demands.ids !== null) {
    const renamed = renamePartCalls(messages, demands.ids)
    for (const message of renamed.size === 0 ? [] : messages) {
      for (const { id } of message.calls ?? [])
        if (renamed.has(id)) causes.add(`the call id ${shown(id)} has not the form it demands`, 'id', message)
    }
  }
  const [first] = messages
  if (demands.userFirst && first?.role === 'assistant')
    causes.add('the history does not begin with a user message', 'first', first)
  if (demands.alternate) {
    messages.forEach((message, i) => {
      const before = messages[i - 1]
      if (before !== undefined && isUser(message) && isUser(before))
        causes.add('two user messages are in a row', 'row', message)
    })
  }
  return causes.list()
}

function isUser({ role }: EntryFact): boolean {
  return role !== 'assistant' && role !== 'toolResult'
}

function shown(id: string): string {
  if (id === '') return '(none)'
  return id.length > 40 ? `${id.slice(0, 39)}…` : id
}

/** Causes with the same key are one, counted. */
class Causes {
  private readonly found = new Map<string, Cause>()
  private readonly healed: boolean

  constructor(healed = false) {
    this.healed = healed
  }

  add(because: string, key: string, { line }: EntryFact): void {
    const known = this.found.get(key)
    if (known === undefined) this.found.set(key, { because, line, count: 1, healed: this.healed })
    else this.found.set(key, { ...known, count: known.count + 1 })
  }

  list(): readonly Cause[] {
    return [...this.found.values()]
  }
}
