import { packRequests } from '../core/compaction/stages'
import { stepsOfCall } from '../core/memory/work-steps'
import type { Policy } from '../core/policy/policy'
import { capSummary } from '../core/summary/cap-summary'
import { digest } from '../core/summary/digest'
import { fileLedger, filesByUse } from '../core/summary/file-ledger'
import { readReply } from '../core/summary/model-reply'
import { mergedText, type SummaryPrompt, toolResultPrompt, workSessionPrompt } from '../core/summary/prompts'
import { serializeMessages } from '../core/summary/serialize'
import type { SourceMessage } from '../core/summary/source-message'
import type { Tokens } from '../core/units/units'
import type { SummaryChain } from '../engine/summary/summary-chain'
import type { SummaryOptions } from '../engine/summary/write-summary'

export type WorkSummaryOptions = {
  readonly policy: Pick<Policy, 'summary' | 'compaction' | 'counting'>
  /** null: no model is asked, and a digest is the summary. */
  readonly chain: SummaryChain | null
  readonly summary: Pick<SummaryOptions, 'sizeOf' | 'mask' | 'isSecret'>
  /** Most tokens of the summary. */
  readonly maxTokens: Tokens
  readonly signal?: AbortSignal
}

export type WorkSummary =
  | {
      readonly kind: 'written'
      readonly text: string
      readonly by: string | null
      readonly notes: readonly string[]
    }
  /** No model gave a summary; what it was to replace must stay. */
  | { readonly kind: 'failed'; readonly notes: readonly string[] }
  | { readonly kind: 'stopped' }

/** Results in one request, in tokens; what is more is first said in short, part by part. */
const MAX_REQUEST_TOKENS = 40_000
/** Names in a prompt; more tell a model no more. */
const MOST_NAMES = 40

/**
 * Says what a stretch of work came to: done, learned, pending. What is in an earlier summary and still holds
 * stays in it.
 */
export async function summariseWork(
  work: readonly SourceMessage[],
  previous: string | null,
  options: WorkSummaryOptions,
): Promise<WorkSummary> {
  const { chain, summary, maxTokens } = options
  if (chain === null || chain.models.length === 0) {
    const carried = previous === null ? {} : { previous }
    const { sizeOf, mask, isSecret } = summary
    const text = digest(work, { budget: maxTokens, sizeOf, mask, isSecret, ...carried })
    return { kind: 'written', text: capSummary(text, maxTokens, sizeOf), by: null, notes: [] }
  }
  const asker = new Asker(chain, options)
  const text = await workText(work, asker, options)
  const prompt = text === null ? null : workPrompt(text, work, previous, summary.mask)
  const answer = prompt === null ? null : await asker.ask(prompt, maxTokens)
  if (asker.isStopped) return { kind: 'stopped' }
  const { notes, by } = asker
  if (answer === null) return { kind: 'failed', notes }
  return { kind: 'written', text: capSummary(answer, maxTokens, summary.sizeOf), by, notes }
}

/** Says tool results in two or three sentences. */
export async function summariseResults(
  results: readonly SourceMessage[],
  options: WorkSummaryOptions,
): Promise<WorkSummary> {
  const { chain, summary, maxTokens } = options
  if (chain === null || chain.models.length === 0) return summariseWork(results, null, options)
  const asker = new Asker(chain, options)
  const text = await workText(results, asker, options)
  const answer = text === null ? null : await asker.ask(toolResultPrompt(text), maxTokens)
  if (asker.isStopped) return { kind: 'stopped' }
  if (answer === null) return { kind: 'failed', notes: asker.notes }
  const capped = capSummary(answer, maxTokens, summary.sizeOf)
  return { kind: 'written', text: capped, by: asker.by, notes: asker.notes }
}

/** The work as the text of one request; null when a part of it could not be said in short. */
async function workText(
  work: readonly SourceMessage[],
  asker: Asker,
  { policy, summary, maxTokens }: WorkSummaryOptions,
): Promise<string | null> {
  const texts = work
    .map((message) => serializeMessages([message], summary.mask))
    .filter((text) => text !== '')
  const requests = packRequests(texts, {
    maxChunk: MAX_REQUEST_TOKENS,
    margin: policy.counting.safetyMargin,
    tokensOf: summary.sizeOf,
  })
  if (requests.length <= 1) return texts.join('\n\n')
  const partial: string[] = []
  for (const request of requests) {
    const answer = await asker.ask(toolResultPrompt(request.join('\n\n')), maxTokens)
    if (answer === null) return null
    partial.push(answer)
  }
  return mergedText(partial)
}

function workPrompt(
  text: string,
  work: readonly SourceMessage[],
  previous: string | null,
  mask: (text: string) => string,
): SummaryPrompt {
  const calls = work.flatMap(({ calls: made }) => made)
  const steps = calls.findLast(({ name, input }) => stepsOfCall(name, input) !== null)
  const done = steps === undefined ? [] : (stepsOfCall(steps.name, steps.input) ?? [])
  const names = (list: readonly string[]) => [...new Set(list)].slice(0, MOST_NAMES).map((name) => mask(name))
  const earlier = previous === null ? '' : `[earlier summary] ${mask(previous)}\n\n`
  return workSessionPrompt({
    text: `${earlier}${text}`,
    tasks: names(done.filter(({ state }) => state === 'done').map(({ title }) => title)),
    tools: names(calls.map(({ name }) => name)),
    files: names(filesByUse(fileLedger(work)).modified),
  })
}

/** Asks, and keeps what went wrong. */
class Asker {
  readonly notes: string[] = []
  by: string | null = null
  isStopped = false

  constructor(
    private readonly chain: SummaryChain,
    private readonly options: WorkSummaryOptions,
  ) {}

  async ask(prompt: SummaryPrompt, maxTokens: Tokens): Promise<string | null> {
    const { policy, signal } = this.options
    const reply = await this.chain.ask({ prompt, maxTokens, signal }, policy)
    this.notes.push(...reply.notes)
    if (!reply.ok) {
      this.isStopped ||= reply.stopped
      return null
    }
    this.by = reply.by
    const read = readReply(reply.text)
    if (read.ok) return read.summary
    this.notes.push(`${reply.by}: ${read.message}`)
    return null
  }
}
