import { bootstrapCaps } from '../core/bootstrap/caps'
import { runHooks } from '../core/bootstrap/hooks'
import { type Bootstrap, injectBootstrap } from '../core/bootstrap/inject'
import { type HistoryBudget, historyBudget, splitWindow } from '../core/budget/regions'
import type { Placed } from '../core/history/assemble'
import { withoutDetails } from '../core/history/details'
import type { LimitedHistory } from '../core/history/limit-history'
import type { TokensOf } from '../core/history/message'
import { joinParts, splitMessages } from '../core/history/message-parts'
import { isResult } from '../core/history/pairing'
import { buildSystemPrompt, type SystemPrompt, type SystemPromptParts } from '../core/history/system-prompt'
import type { ContentMessage } from '../core/history/thinking'
import { VS7_LINES } from '../core/logs/vs7-lines'
import type { ResumeOffer } from '../core/memory/step-checkpoint'
import { withFields } from '../core/objects/with-fields'
import type { Policy } from '../core/policy/policy'
import { estimateUnits } from '../core/tokens/estimate'
import type { Tokens } from '../core/units/units'
import type { Diagnose } from '../engine/compaction/diagnose'
import type { Recalled } from '../engine/knowledge/recall'
import { requestFiles, type WorkspaceSnapshot } from '../engine/workspace/workspace'
import { instructionsOf } from './conversation'
import type { FlushPrompt, LiveAgent } from './live-agent'
import type { SentPruning } from './live-pruning'
import type { ContextManagerOptions } from './manager-options'
import { requestMemory } from './request-memory'
import { requestHistory, requestMessages } from './request-messages'
import type { RolledView } from './rolling-summary'

/** A request as it is to be sent. */
export type AssembledRequest<M> = {
  readonly system: SystemPrompt
  readonly bootstrap: Bootstrap
  /** Summary, history and prompt, in the order of assembly. */
  readonly messages: readonly Placed<M>[]
  readonly history: LimitedHistory<M>
  /** null while the policy's budget is switched off. */
  readonly budget: HistoryBudget | null
  /** What was recalled for the prompt; null while semantic history is off. */
  readonly recalled: Recalled | null
  readonly warnings: readonly string[]
}

/** What a request is put together from. */
export type RequestInput<M> = {
  readonly parts: Omit<SystemPromptParts, 'files'>
  readonly summary?: readonly M[]
  /** The agent's own conversation where it is left out. */
  readonly history?: readonly M[]
  readonly prompt: readonly M[]
}

/** What one request leaves to the next, and what waits for the next one. */
export type RequestState = {
  /** What was before the conversation in the last request. Tokens. */
  system: SystemTokens
  /** Given to the agent with the next request. */
  flush: FlushPrompt | null
  resumed: ResumeOffer | null
}

type SystemTokens = { readonly prompt: number; readonly files: number }

type RequestSetup<M extends ContentMessage> = {
  readonly options: ContextManagerOptions<M>
  /** The workspace as it is now; null where there is none that can be read. */
  readonly snapshot: () => Promise<WorkspaceSnapshot | null>
  readonly tokensOf: TokensOf<M>
  readonly form: LiveAgent<M>['form']
  /** null for a manager without an agent, whose messages cannot be read. */
  readonly live: {
    readonly pruning: SentPruning<M>
    /** What of a conversation is sent; see `rolledView`. */
    readonly view: (messages: readonly M[]) => Promise<RolledView<M>>
  } | null
  readonly tell: Diagnose
}

/** What the division of the window leaves to history; null while it is switched off. */
export function budgetBeside(
  { budget }: Policy,
  window: Tokens,
  { prompt, files }: SystemTokens,
): HistoryBudget | null {
  return budget.enabled ? historyBudget(window, budget, { system: prompt, bootstrap: files }) : null
}

/** Messages in parts, as far as their form has parts; always another list. */
export function inParts<M extends ContentMessage>(
  { hasBlocks }: Pick<LiveAgent<M>['form'], 'hasBlocks'>,
  messages: readonly M[],
): readonly M[] {
  return [...(hasBlocks === true ? splitMessages(messages) : messages)]
}

/** See `ContextManager.request`. */
export async function assembleRequest<M extends ContentMessage>(
  state: RequestState,
  setup: RequestSetup<M>,
  input: RequestInput<M>,
): Promise<AssembledRequest<M>> {
  const { options, tokensOf, form, live, tell } = setup
  const { policy, window, key, countText = estimateUnits, provider = null } = options
  const { agent, recall = {} } = options
  const regions = policy.budget.enabled ? splitWindow(window, policy.budget) : null
  const snapshot = await setup.snapshot()
  const bootstrap = await bootstrapFor(options, snapshot, regions?.bootstrap ?? null)
  const ownPrompt = inParts(form, input.prompt)
  const memory = await requestMemory(ownPrompt, {
    policy,
    window,
    sizeOf: countText,
    form,
    session: agent?.session ?? key ?? '',
    clock: agent?.clock ?? null,
    mask: agent?.secrets?.mask ?? ((text) => text),
    snapshot,
    recall,
  })
  const flush = state.flush
  state.flush = null
  const noted = [flush?.systemPrompt ?? '', flush?.delivery === 'system' ? flush.text : '']
  const notice = flush === null ? {} : { notice: noted.filter((text) => text !== '').join('\n\n') }
  const system = buildSystemPrompt({ ...input.parts, ...memory.parts, ...notice, files: bootstrap.files })
  const files = countText(bootstrap.files.map((file) => file.text).join('\n'))
  const { resumed } = state
  state.resumed = null
  const texts = [resumed?.text, flush?.delivery === 'user' ? flush.text : undefined]
  const asked = texts.flatMap((text) => (text === undefined ? [] : form.fromText(text)))
  const prompt = behindResults(ownPrompt, asked)
  const all = input.history ?? (await agent?.getContext()) ?? []
  const instructions = form.hasBlocks === true ? instructionsOf(all) : []
  const parts = inParts(form, all.slice(instructions.length))
  const view = await summariesAndHistory(setup, parts)
  const summary = [...inParts(form, input.summary ?? []), ...view.summary]
  state.system = { prompt: Math.max(0, countText(system.text) - files), files }
  const budget = budgetBeside(policy, window, state.system)
  const { warnings: placing, ...history } = requestHistory(
    { instructions, summary, history: live?.pruning.sent(view.history) ?? view.history, prompt },
    {
      history: policy.history,
      sendThinking: policy.history.sendThinking,
      key,
      budget: budget?.clamped ?? null,
      tokensOf,
    },
  )
  const kept = joinParts(history.messages)
  const whole = { instructions, summary, history: history.messages, prompt }
  const { messages: placed, warnings: settled } = requestMessages(whole, form, provider)
  const messages = placed.map((place) => withFields(place, { message: withoutDetails(place.message) }))
  if (regions !== null) {
    const { tokens, total } = bootstrapCaps(policy.bootstrap, regions.bootstrap)
    tell('info', VS7_LINES.bootstrap(tokens ?? 0, total))
  }
  if (view.isRolled) tell('info', VS7_LINES.injected())
  if (budget !== null) {
    const counts = { messagesIn: all.length, messagesOut: kept.length }
    const stats = {
      contextWindow: window,
      systemPrompt: state.system.prompt,
      bootstrap: state.system.files,
      ...counts,
    }
    const line = VS7_LINES.stats({ ...stats, historyBudget: budget.formula, withSummary: view.isRolled })
    tell('info', line)
  }
  const { recalled } = memory
  if (recalled !== null && recalled.placed.length > 0)
    tell('info', VS7_LINES.semantic(recalled.placed.length, recalled.tokens))
  const warnings = [...bootstrap.warnings, ...memory.warnings, ...placing, ...settled]
  for (const warning of warnings) tell('warn', warning)
  const sent = { ...history, messages: kept.map(withoutDetails) }
  return { system, bootstrap, messages, history: sent, budget, recalled, warnings }
}

/** Results stay next to their calls. */
function behindResults<M extends ContentMessage>(prompt: readonly M[], added: readonly M[]): readonly M[] {
  const first = prompt.findIndex((part) => !isResult(part))
  const after = first < 0 ? prompt.length : first
  return [...prompt.slice(0, after), ...added, ...prompt.slice(after)]
}

/** Summaries are separate from history, so that no limit takes them for an old turn. */
async function summariesAndHistory<M extends ContentMessage>(
  { live, form }: RequestSetup<M>,
  messages: readonly M[],
): Promise<{ readonly summary: readonly M[]; readonly history: readonly M[]; readonly isRolled: boolean }> {
  if (live === null) return { summary: [], history: messages, isRolled: false }
  const { summary, rest } = await live.view(messages)
  const first = rest.findIndex((message) => !form.isSummary(message))
  const leading = first < 0 ? rest.length : first
  return {
    summary: [...(summary === null ? [] : [summary]), ...rest.slice(0, leading)],
    history: rest.slice(leading),
    isRolled: summary !== null,
  }
}

async function bootstrapFor<M extends ContentMessage>(
  { policy, hooks, subagent }: ContextManagerOptions<M>,
  snapshot: WorkspaceSnapshot | null,
  regionTokens: Tokens | null,
): Promise<Bootstrap> {
  const present = snapshot === null ? [] : requestFiles(snapshot, policy.bootstrap)
  const hooked = await runHooks(present, hooks ?? [])
  const bootstrap = injectBootstrap({
    files: hooked.files,
    policy: snapshot === null ? { ...policy.bootstrap, files: [] } : policy.bootstrap,
    caps: bootstrapCaps(policy.bootstrap, regionTokens),
    subagent,
  })
  return { ...bootstrap, warnings: [...hooked.warnings, ...bootstrap.warnings] }
}
