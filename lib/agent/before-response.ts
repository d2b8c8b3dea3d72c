import { loadLines, softFlushLine } from '../core/budget/load-lines'
import type { ContentMessage } from '../core/history/thinking'
import { VS7_LINES } from '../core/logs/vs7-lines'
import { checkFlush, flushPrompt, onDay } from '../core/memory/flush'
import type { ResumeOffer } from '../core/memory/step-checkpoint'
import { reasonOf } from '../core/words/reason-of'
import { recallForPrompt } from './cold/auto-recover'
import { notReplaced, type Recovered } from './cold/cold-memory'
import { CUT_REASON, keepCopies } from './cold/keep-copies'
import { compactContext, type LiveOutcome } from './compact-context'
import { cutToRoom } from './cut-to-room'
import type { FlushPrompt, LadderStep } from './live-agent'
import type { ContextCheck } from './live-gauge'
import {
  type ContextPass,
  copyPlace,
  currentCheck,
  type DropOutcome,
  type LiveParts,
  roomBelowHardLine,
} from './live-parts'
import { startCycle } from './remembered-state'
import { rolledView, rollHistory, rolls, rollTo } from './rolling-summary'
import { runPass } from './run-pass'

/** What was done to a context before a request. */
export type BeforeResponse = {
  /** As the context was found, and as it is now. */
  readonly before: ContextCheck
  readonly after: ContextCheck
  /** In the order of the ladder; empty when nothing was due. */
  readonly steps: readonly LadderStep[]
  /**
   * Goes into the next request, which puts it in itself when the manager makes it; null when there is none, or it was
   * answered.
   */
  readonly flush: FlushPrompt | null
  readonly compaction: LiveOutcome | null
  /** What was dropped by relevance, the last time something was; null when nothing was. */
  readonly drop: DropOutcome | null
  /** What the prompt brought back from cold storage. */
  readonly recovered: readonly Recovered[]
  /** A compaction is due and waits until the agent has saved its memory. */
  readonly waits: boolean
  /** The context is above the hard line still, and why; null when it is not. */
  readonly failure: string | null
  /** What an agent before this one left half done, until that is answered or overtaken; null when there is nothing. */
  readonly resume: ResumeOffer | null
  readonly warnings: readonly string[]
}

type LineKind = ContextCheck['reached'][number]['kind']

/**
 * One walk up the ladder: flush, curate and drop, compact, hold the hard line, roll, bring back. Nothing happens that
 * no line and no prompt asks for.
 */
export class ResponsePass<M extends ContentMessage> {
  private readonly steps: LadderStep[] = []
  private readonly warnings: string[] = []
  private prompt: FlushPrompt | null = null
  private compaction: LiveOutcome | null = null
  private drop: DropOutcome | null = null
  private recovered: readonly Recovered[] = []
  private waits = false
  private failure: string | null = null

  constructor(
    private readonly parts: LiveParts<M>,
    private readonly incoming: readonly M[],
    private readonly signal?: AbortSignal,
  ) {}

  async run(): Promise<Omit<BeforeResponse, 'resume'>> {
    const before = await this.check()
    let now = before
    const redo = async (step: Promise<boolean>) => {
      if (await step) now = await this.check()
    }
    await redo(this.flush(now))
    await redo(this.curate(now))
    await redo(this.compact(now))
    await redo(this.holdLine(now))
    if (this.compaction?.kind !== 'compacted') await redo(this.roll())
    await redo(this.recall(now))
    this.warnings.push(...this.parts.state.takeProblems())
    return {
      before,
      after: now,
      steps: this.steps,
      flush: this.prompt,
      compaction: this.compaction,
      drop: this.drop,
      recovered: this.recovered,
      waits: this.waits,
      failure: this.failure,
      warnings: this.warnings,
    }
  }

  private check(): Promise<ContextCheck> {
    return currentCheck(this.parts, this.incoming)
  }

  /** Steps answer whether the context may be another one now. */
  private async flush(now: ContextCheck): Promise<boolean> {
    const { agent } = this.parts
    const prompt = await dueFlush(this.parts, now, this.incoming)
    if (prompt === null) return false
    this.done('flush')
    const { onFlush } = agent
    if (onFlush === undefined) {
      this.prompt = prompt
      return false
    }
    try {
      await onFlush(prompt)
    } catch (error) {
      this.warnings.push(`The memory was not saved: ${reasonOf(error)}`)
    }
    return true
  }

  private async curate(now: ContextCheck): Promise<boolean> {
    let check = now
    let changed = false
    const waits = await this.mustWait(now)
    for (const pass of this.parts.passes) {
      if (!(await this.runPass(pass, check, waits, false))) continue
      changed = true
      check = await this.check()
    }
    return changed
  }

  /** @param last nothing else brought the context below its hard line */
  private async runPass(
    pass: ContextPass<M>,
    check: ContextCheck,
    waits: boolean,
    last: boolean,
  ): Promise<boolean> {
    const { incoming, signal } = this
    const occasion = { moment: 'before', incoming, check, waits, last, signal } as const
    const { changed, drop, warnings } = await runPass(this.parts, pass, occasion)
    this.warnings.push(...warnings)
    if (!changed) return false
    this.drop = drop ?? this.drop
    this.done(drop?.compacted === true ? 'compact' : pass.step)
    if (drop?.compacted === true) await this.beginCycle()
    return true
  }

  /** After a drop that was the compaction of this call, lines are reached anew. */
  private async beginCycle(): Promise<void> {
    const { state, agent, form } = this.parts
    const messages = await agent.getContext()
    await state.update((known) => ({ ...startCycle(known, form, messages), rolling: known.rolling }))
    this.prompt = null
  }

  private async mustWait(now: ContextCheck): Promise<boolean> {
    if (this.prompt === null || reaches(now, 'hard') || !reaches(now, 'compact')) return false
    return !(await this.parts.state.get()).waited
  }

  private async compact(now: ContextCheck): Promise<boolean> {
    const pressing = reaches(now, 'hard')
    if (!pressing && !reaches(now, 'compact')) return false
    // There are never two compactions for one call.
    if (this.drop?.compacted === true) return false
    if (await this.mustWait(now)) {
      this.waits = true
      await this.parts.state.update((known) => ({ ...known, waited: true }))
      return false
    }
    this.compaction = await compactContext(this.parts, {
      incoming: this.incoming,
      focus: null,
      manual: pressing,
      room: null,
      pressing,
      signal: this.signal,
    })
    if (this.compaction.kind === 'changed')
      this.warnings.push('The conversation changed while it was summarised; it was left as it is.')
    if (this.compaction.kind === 'refused')
      this.warnings.push(`The conversation was not compacted: ${this.compaction.refusal.message}`)
    if (this.compaction.kind !== 'compacted') return false
    this.steps.push('compact')
    this.warnings.push(...this.compaction.notes)
    // What was to be saved has been summarised; the next cycle asks anew.
    this.prompt = null
    return true
  }

  /** After a pass the context is below the hard line, or it is said that it is not. */
  private async holdLine(now: ContextCheck): Promise<boolean> {
    if (!reaches(now, 'hard')) return false
    let check = now
    let changed = false
    for (const pass of this.parts.passes) {
      if (!reaches(check, 'hard') || !(await this.runPass(pass, check, false, true))) continue
      changed = true
      check = await this.check()
    }
    if (!reaches(check, 'hard')) return changed
    const line = check.reached.find(({ kind }) => kind === 'hard')?.tokens ?? 0
    const isCut = await this.cut(line)
    const after = isCut ? await this.check() : check
    if (reaches(after, 'hard'))
      this.failure = `The context takes ${Math.ceil(after.decided)} tokens with margin, above the hard line of ${line}: what is left of the conversation, what comes in and the ${this.parts.fixedTokens()} tokens before it cannot be made smaller.`
    return changed || isCut
  }

  /** Takes out what does not fit, oldest first; where there is cold storage, it goes there, or nowhere. */
  private async cut(line: number): Promise<boolean> {
    const { agent, gauge, form, policy } = this.parts
    const messages = await agent.getContext()
    const room = roomBelowHardLine(this.parts, this.incoming)
    const { recentTurns } = policy.history
    const cut = cutToRoom(messages, this.incoming, room, form, recentTurns)
    if (cut.left === 0) return false
    const stored = await keepCopies(copyPlace(this.parts), messages, cut.messages, CUT_REASON)
    if (stored.kind === 'refused') {
      this.warnings.push(stored.refusal.message)
      return false
    }
    const problem = await notReplaced(agent, cut.messages)
    if (problem !== null) {
      this.warnings.push(`What did not fit was not left out. ${problem}`)
      return false
    }
    gauge.forget()
    this.done('cut')
    this.warnings.push(
      `${cut.left} of ${messages.length} messages were left out: what stays word for word did not fit below the hard line of ${line} tokens.`,
    )
    return true
  }

  /** Brings back what is asked for, as long as that reaches no line at which something would have to go again. */
  private async recall(now: ContextCheck): Promise<boolean> {
    const { policy, window, cold } = this.parts
    if (cold === null || this.incoming.length === 0) return false
    const lines = loadLines(policy, window).filter(({ kind }) => kind === 'compact' || kind === 'hard')
    const line = lines.find(({ unreachable }) => unreachable !== true)?.tokens ?? window
    const room = Math.floor((line - 1 - now.decided) / policy.counting.safetyMargin)
    try {
      const { recovered, warnings } = await recallForPrompt(
        this.parts,
        cold,
        this.incoming,
        room,
        this.signal,
      )
      this.warnings.push(...warnings)
      this.recovered = recovered
    } catch (error) {
      this.warnings.push(`Nothing was brought back from cold storage: ${reasonOf(error)}`)
    }
    if (this.recovered.length === 0) return false
    this.done('recover')
    return true
  }

  private async roll(): Promise<boolean> {
    const { agent, state, form, policy, gauge, summary } = this.parts
    if (!rolls(policy)) return false
    const messages = await agent.getContext()
    const view = rolledView(messages, (await state.get()).rolling, form)
    const chain = agent.chain ?? null
    const historyBudget = this.parts.historyBudget()
    const start = rollTo(messages, view, { policy, form, historyBudget })
    if (start === null) return false
    agent.diagnose?.('info', VS7_LINES.triggering(messages.length))
    const { signal } = this
    const options = { policy, form, chain, historyBudget, summary, signal }
    const rolled = await rollHistory(messages, view, start, options)
    if (rolled.kind === 'failed')
      this.warnings.push(
        `No rolling summary could be made; history is cut to its limits instead. ${rolled.notes.join(' ')}`.trim(),
      )
    if (rolled.kind !== 'rolled') return false
    await state.update((known) => ({ ...known, rolling: rolled.state }))
    const total = rolled.state.tokens + gauge.sum(messages.slice(start))
    agent.diagnose?.('info', VS7_LINES.summarized(start, messages.length - start, total))
    gauge.forget()
    this.done('roll')
    return true
  }

  private done(step: LadderStep): void {
    this.steps.push(step)
    this.parts.agent.onStep?.(step)
  }
}

function reaches({ reached }: ContextCheck, kind: LineKind): boolean {
  return reached.some((line) => line.kind === kind)
}

/**
 * The request to save what matters, when a flush line is reached with what is about to come in; null when
 * none is due.
 */
async function dueFlush<M extends ContentMessage>(
  { policy, window, state, agent, gauge }: LiveParts<M>,
  check: ContextCheck,
  incoming: readonly M[],
): Promise<FlushPrompt | null> {
  const before = await state.get()
  const soft = softFlushLine(policy, window)
  const ahead = soft === null ? null : soft.tokens / window
  const { due, state: flush } = checkFlush(policy, check.decided / window, before.flush, ahead)
  if (flush !== before.flush) await state.update((known) => ({ ...known, flush }))
  if (due === null) return null
  const { delivery, prompts, systemPrompt } = policy.flush
  const ofLine = <T>(values: readonly T[]) =>
    valueOfLine(values, [...policy.lines.flush.at, ...(ahead === null ? [] : [ahead])], due)
  const day = new Date(agent.clock.now()).toISOString().slice(0, 10)
  return {
    at: due,
    delivery: ofLine(delivery) ?? 'system',
    systemPrompt: onDay(systemPrompt, day),
    text: flushPrompt({
      day,
      words: ofLine(prompts) ?? '',
      tokens: (check.tokens.value ?? 0) + gauge.sum(incoming),
      window,
      alone: agent.onFlush !== undefined,
    }),
  }
}

/** Values go by the order of the lines; the last one serves the lines beyond. undefined where there is none. */
function valueOfLine<T>(values: readonly T[], lines: readonly number[], due: number): T | undefined {
  const place = lines.toSorted((a, b) => a - b).indexOf(due)
  return values[Math.min(place, values.length - 1)]
}
