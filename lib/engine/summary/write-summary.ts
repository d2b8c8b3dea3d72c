import type { SummarySource } from '../../core/compaction/plan'
import { oversizedNote, packRequests } from '../../core/compaction/stages'
import type { Policy } from '../../core/policy/policy'
import { auditedIdentifiers, auditSummary } from '../../core/summary/audit'
import { coveredMessage } from '../../core/summary/covered-message'
import { digestBudget, digestInSteps } from '../../core/summary/digest'
import { enrich } from '../../core/summary/enrich'
import { readReply } from '../../core/summary/model-reply'
import {
  mergedText,
  NO_HISTORY,
  type SummaryPrompt,
  type SummaryRequest,
  summaryPrompt,
  turnPrefixPrompt,
} from '../../core/summary/prompts'
import { serializeMessages } from '../../core/summary/serialize'
import type { SourceMessage } from '../../core/summary/source-message'
import { finish, type Steps } from '../../core/summary/steps'
import { turnExcerpt } from '../../core/summary/turn-excerpt'
import type { Tokens } from '../../core/units/units'
import type { ChainReply, SummaryChain } from './summary-chain'

/** Messages that a plan summarises, as its requests divide them. */
export type SummaryMaterial = {
  readonly pruned: readonly SourceMessage[]
  readonly parts: readonly (readonly SourceMessage[])[]
  readonly prefix: readonly SourceMessage[]
  readonly oversized: readonly { readonly message: SourceMessage; readonly tokens: Tokens }[]
  /** The summary from before; null when there is none. */
  readonly previous: string | null
  /**
   * All messages of the session that the digest may draw on, oldest first: the archive (lib/docs/relevance.md#digest).
   */
  readonly archive: readonly SourceMessage[]
  /** The newest message of the user when it does not stay. */
  readonly newestAsk: string | null
  /** Messages that are marked as important and do not stay, oldest first. */
  readonly important?: readonly string[]
  /** The last turns before the cut, for a reminder in short. */
  readonly recentTurns: readonly SourceMessage[]
  readonly workspaceRules: string | null
}

export type SummaryOptions = {
  readonly policy: Policy
  /** null: no model is asked. */
  readonly chain: SummaryChain | null
  readonly focus: string | null
  readonly sizeOf: (text: string) => number
  readonly mask: (text: string) => string
  readonly isSecret: (text: string) => boolean
  /** Most tokens of a summary (lib/docs/openclaw.md#limits-of-a-compaction: 0.8 of the reserve). */
  readonly maxTokens: Tokens
  readonly signal?: AbortSignal
  readonly onProgress?: (done: number, of: number) => void
  /** Lets others have their turn while a digest is made; without it, it is made in one go. */
  readonly inTurns?: InTurns
}

/** Runs work that pauses, and sees to other things in between. */
export type InTurns = <T>(steps: Steps<T>) => Promise<T>

export type WrittenSummary = {
  readonly text: string
  readonly source: SummarySource
  /** Which model wrote it; null for a digest, and for a checkpoint. */
  readonly by: string | null
  /** Requests that were made, and their tokens where the services say. */
  readonly calls: number
  readonly inputTokens: Tokens | null
  readonly outputTokens: Tokens | null
  /** Models that failed and why, audits that were not passed. */
  readonly notes: readonly string[]
}

export type SummaryResult =
  | { readonly kind: 'written'; readonly summary: WrittenSummary }
  | { readonly kind: 'stopped' }

/**
 * Writes the summary that a plan calls for. Models are asked in parts that are merged; an answer that misses sections
 * or identifiers is asked for again (lib/docs/openclaw.md#summaries); whatever fails, the digest takes its place, so
 * that a summary is never lost and never blocks.
 */
export async function writeSummary(whole: SummaryMaterial, options: SummaryOptions): Promise<SummaryResult> {
  const material = coveredMaterial(whole, options.mask)
  const run = new SummaryRun(material, options)
  const written = await run.byModel()
  if (written === 'stopped') return { kind: 'stopped' }
  const body = written ?? withCount(await digestOf(material, options), material)
  const extra = {
    // A digest names failures and files itself.
    messages: written === null ? [] : summarisedOf(material),
    turnPrefix: written === null ? turnExcerpt(material.prefix, options.mask) : run.prefixSummary,
    newestAsk: material.newestAsk,
    important: material.important,
    recentTurns: material.recentTurns,
    workspaceRules: material.workspaceRules,
  }
  const text = enrich(body, extra)
  return { kind: 'written', summary: { text, source: written === null ? 'digest' : 'model', ...run.tally() } }
}

/**
 * What a summary is made of, with credentials covered: whatever of it gets into the summary goes to models and stays in
 * the transcript. The archive is covered as the digest reads it.
 */
function coveredMaterial(material: SummaryMaterial, mask: (text: string) => string): SummaryMaterial {
  const covered = (messages: readonly SourceMessage[]) =>
    messages.map((message) => coveredMessage(message, mask))
  const { previous, newestAsk, important, workspaceRules } = material
  return {
    ...material,
    pruned: covered(material.pruned),
    parts: material.parts.map(covered),
    prefix: covered(material.prefix),
    oversized: material.oversized.map(({ message, tokens }) => ({
      message: coveredMessage(message, mask),
      tokens,
    })),
    recentTurns: covered(material.recentTurns),
    previous: previous === null ? null : mask(previous),
    newestAsk: newestAsk === null ? null : mask(newestAsk),
    important: important?.map(mask),
    workspaceRules: workspaceRules === null ? null : mask(workspaceRules),
  }
}

/** A digest that had to do without large messages names them, and says of how many it was made. */
function withCount(digest: string, material: SummaryMaterial): string {
  const { oversized } = material
  if (oversized.length === 0) return digest
  const messages = summarisedOf(material).length + oversized.length
  const count = `[${messages} messages, ${oversized.length} of them too large to be summarised]`
  return [`${digest}\n\n${count}`, ...oversizedNotes(material)].join('\n')
}

function oversizedNotes({ oversized }: SummaryMaterial): string[] {
  return oversized.map(({ message, tokens }) => oversizedNote(message.role, tokens))
}

function summarisedOf({ pruned, parts, prefix }: SummaryMaterial): SourceMessage[] {
  return pruned.concat(...parts, prefix)
}

/** The summary that needs no model. It draws on the whole archive, not on the digest before it. */
export async function digestOf(material: SummaryMaterial, options: SummaryOptions): Promise<string> {
  const { archive, previous } = material
  const { focus, sizeOf, mask, isSecret, policy, inTurns = async (steps) => finish(steps) } = options
  const summarised = summarisedOf(material)
  const messages = archive.length > 0 ? archive : summarised
  if (messages.length === 0) return previous ?? NO_HISTORY
  const budget = Math.min(
    budgetFor(summarised, sizeOf),
    policy.summary.rolling.enabled ? policy.summary.rolling.maxTokens : Number.POSITIVE_INFINITY,
  )
  const carried = archive.length > 0 || previous === null ? {} : { previous }
  const asked = focus === null ? {} : { focus: mask(focus) }
  // All but the archive was covered before.
  const cover = archive.length > 0 ? { mask } : {}
  return inTurns(digestInSteps(messages, { budget, sizeOf, isSecret, ...cover, ...carried, ...asked }))
}

/** Sizes no more texts than it takes to know that the digest is as large as any. */
function budgetFor(messages: readonly SourceMessage[], sizeOf: (text: string) => number): Tokens {
  const most = digestBudget(Number.POSITIVE_INFINITY)
  let tokens = 0
  for (const { text } of messages) {
    tokens += sizeOf(text)
    if (digestBudget(tokens) === most) break
  }
  return digestBudget(tokens)
}

/** A part of the conversation as text for one request, and the messages that it was made of. */
type PackedRequest = { readonly text: string; readonly messages: readonly SourceMessage[] }

/** The requests of one summary, and what they came to. */
class SummaryRun {
  prefixSummary: string | null = null
  private calls = 0
  private input: number | null = 0
  private output: number | null = 0
  private by: string | null = null
  private readonly notes: string[] = []
  private done = 0
  /** One limit for all requests of the summary together. */
  private readonly deadline: number

  constructor(
    private readonly material: SummaryMaterial,
    private readonly options: SummaryOptions,
  ) {
    this.deadline = options.chain?.deadlineOf(options.policy) ?? Number.POSITIVE_INFINITY
  }

  tally(): Pick<WrittenSummary, 'by' | 'calls' | 'inputTokens' | 'outputTokens' | 'notes'> {
    return {
      by: this.by,
      calls: this.calls,
      inputTokens: this.input,
      outputTokens: this.output,
      notes: this.notes,
    }
  }

  /** null when no model wrote it. */
  async byModel(): Promise<string | null | 'stopped'> {
    const { chain, mask } = this.options
    if (chain === null || chain.models.length === 0) return null
    const { pruned, parts, prefix, previous } = this.material
    // The earlier summary may contain a credential.
    let before = previous === null ? null : mask(previous)
    if (pruned.length > 0) {
      // What is pruned is summarised first and becomes the previous summary of the rest.
      const early = await this.summarise([pruned], before)
      if (early === 'stopped' || early === null) return early
      before = early
    }
    const body = await this.wholeOrWithout(parts, before)
    if (body === 'stopped' || body === null) return body
    if (prefix.length > 0) {
      const text = serializeMessages(prefix, this.options.mask)
      const reply = await this.ask(turnPrefixPrompt(text, Math.floor(this.options.maxTokens * PREFIX_SHARE)))
      if (!reply.ok) return reply.stopped ? 'stopped' : null
      this.prefixSummary = reply.text
    }
    return body
  }

  /**
   * Large messages are given to the model first, cut like all others: it may take them. Where it does not, the rest is
   * summarised without them and a note names each.
   */
  private async wholeOrWithout(
    parts: readonly (readonly SourceMessage[])[],
    before: string | null,
  ): Promise<string | null | 'stopped'> {
    const { oversized } = this.material
    if (oversized.length === 0) return this.summarise(parts, before)
    const all = [...parts.flat(), ...oversized.map(({ message }) => message)].sort((a, b) => a.line - b.line)
    const whole = await this.summarise([all], before)
    if (whole !== null) return whole
    const body = await this.summarise(parts, before)
    if (body === null || body === 'stopped') return body
    return `${body}\n\n${oversizedNotes(this.material).join('\n')}`
  }

  private async summarise(
    parts: readonly (readonly SourceMessage[])[],
    previous: string | null,
  ): Promise<string | null | 'stopped'> {
    const messages = parts.flat()
    const requests = parts.flatMap((part) => this.requestsOf(part))
    if (requests.length === 0) return previous ?? NO_HISTORY
    const single = requests.length === 1
    const partial: string[] = []
    for (const { text } of requests) {
      const answer = single
        ? await this.audited(messages, (missing) => ({ ...this.request(messages, missing), text, previous }))
        : await this.plain(summaryPrompt({ ...this.request(messages, []), text, previous: null }))
      if (answer === null && this.isLate() && partial.length > 0)
        return this.cutShort(partial, requests.slice(partial.length), previous)
      if (answer === null || answer === 'stopped') return answer
      partial.push(answer)
    }
    if (single) return partial[0] ?? null
    const merged = await this.audited(messages, (missing) => ({
      ...this.request(messages, missing),
      text: mergedText(partial),
      previous,
    }))
    return merged === null && this.isLate() ? this.cutShort(partial, [], previous) : merged
  }

  private isLate(): boolean {
    return this.options.chain?.isPast(this.deadline) ?? false
  }

  /** What the model wrote until the time limit is paid for and stays as it is; the rest becomes a digest. */
  private async cutShort(
    partial: readonly string[],
    rest: readonly PackedRequest[],
    previous: string | null,
  ): Promise<string> {
    const all = partial.length + rest.length
    this.notes.push(
      `The time limit of ${this.options.policy.compaction.timeoutMs} ms passed when ${partial.length} of ${all} parts were summarised. They stay unmerged${rest.length === 0 ? '' : ', and the rest is a digest'}.`,
    )
    const texts = previous === null ? [...partial] : [previous, ...partial]
    const messages = rest.flatMap((request) => request.messages)
    if (messages.length > 0)
      texts.push(
        await digestOf(
          { ...this.material, archive: [], pruned: [], prefix: [], parts: [messages], previous: null },
          this.options,
        ),
      )
    return mergedText(texts)
  }

  /** Parts are packed again by what they are as text: results were cut, so there may be fewer requests. */
  private requestsOf(part: readonly SourceMessage[]): PackedRequest[] {
    const { sizeOf, mask, policy } = this.options
    const sized = part.map((message) => ({ message, text: serializeMessages([message], mask) }))
    const packed = packRequests(
      sized.filter(({ text }) => text !== ''),
      {
        maxChunk: MAX_REQUEST_TOKENS,
        margin: policy.counting.safetyMargin,
        tokensOf: ({ text }) => sizeOf(text),
      },
    )
    return packed.map((group) => ({
      text: group.map(({ text }) => text).join('\n\n'),
      messages: group.map(({ message }) => message),
    }))
  }

  private request(messages: readonly SourceMessage[], missing: readonly string[]) {
    const { maxTokens, policy, mask } = this.options
    const focus = this.options.focus === null ? null : mask(this.options.focus)
    const strict = policy.compaction.identifierPolicy === 'strict'
    return { focus, maxTokens, missing, identifiers: strict ? this.identifiers(messages) : [] }
  }

  private identifiers(messages: readonly SourceMessage[]): string[] {
    return auditedIdentifiers(messages).filter((text) => !this.options.isSecret(text))
  }

  /** Asks until the audit passes, as often as the policy allows; an answer that never does is not taken. */
  private async audited(
    messages: readonly SourceMessage[],
    request: (missing: readonly string[]) => SummaryRequest,
  ): Promise<string | null | 'stopped'> {
    const { policy, mask } = this.options
    const { mode, qualityRetries, identifierPolicy } = policy.compaction
    const shown = messages.map((message) => ({ ...message, text: mask(message.text) }))
    let missing: readonly string[] = []
    for (let attempt = 0; attempt <= qualityRetries; attempt++) {
      const answer = await this.plain(summaryPrompt(request(missing)))
      if (answer === null || answer === 'stopped' || mode !== 'safeguard') return answer
      const findings = auditSummary(answer, shown, identifierPolicy)
      if (findings.length === 0) return answer
      missing = findings.map(({ code, detail }) => `${code}: ${detail}`)
    }
    this.notes.push(
      `${this.by ?? 'The model'} wrote a summary that does not pass the audit: ${missing.join('; ')}`,
    )
    return null
  }

  private async plain(prompt: SummaryPrompt): Promise<string | null | 'stopped'> {
    const reply = await this.ask(prompt)
    if (!reply.ok) return reply.stopped ? 'stopped' : null
    const read = readReply(reply.text)
    if (read.ok) return read.summary
    this.notes.push(`${reply.by}: ${read.message}`)
    return null
  }

  private async ask(prompt: SummaryPrompt): Promise<ChainReply> {
    const { chain, policy, maxTokens, signal, onProgress } = this.options
    if (chain === null) return { ok: false, stopped: false, notes: [] }
    const reply = await chain.ask({ prompt, maxTokens, signal }, policy, this.deadline)
    this.calls += 1
    this.done += 1
    onProgress?.(this.done, this.planned())
    this.notes.push(...reply.notes)
    if (reply.ok) {
      this.by = reply.by
      this.input = this.input === null || reply.usage === null ? null : this.input + reply.usage.input
      this.output = this.output === null || reply.usage === null ? null : this.output + reply.usage.output
    }
    return reply
  }

  private planned(): number {
    const { pruned, parts, prefix } = this.material
    const merges = parts.length > 1 ? 1 : 0
    return Math.max(
      this.done,
      (pruned.length > 0 ? 1 : 0) + parts.length + merges + (prefix.length > 0 ? 1 : 0),
    )
  }
}

const PREFIX_SHARE = 0.5
/** One request to a summariser, in tokens: what the smallest windows in use take with an answer. */
const MAX_REQUEST_TOKENS = 60_000
