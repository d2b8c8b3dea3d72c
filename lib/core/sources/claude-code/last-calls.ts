import { charsOverFour } from '../../tokens/estimate'
import { promptTokens, reportedOutput, reportedPrompt } from '../../tokens/usage'
import { entersContext, isAnswer } from '../../transcript/context'
import type { EntryFact, Usage } from '../../transcript/entry'
import { isObject } from '../../transcript/json'
import { readTranslated } from '../../transcript/reading/read-line'
import type { Milliseconds, Tokens } from '../../units/units'
import { claudeCodeEntries } from './entries'

/** So many calls show the pace of a session. */
const CALLS_WANTED = 12

/** What the end of a transcript says about its last calls. */
export type LastCalls = {
  /** The last call that was answered; null: there is none since the last compaction, or in what was read. */
  readonly last: {
    readonly model: string | null
    readonly at: Milliseconds | null
    readonly usage: Usage
  } | null
  /** Prompts of the last calls, oldest first; null: not reported. Tokens. */
  readonly trend: readonly (Tokens | null)[]
  /** What the last calls answered, as far as it was reported. Tokens. */
  readonly outputs: readonly Tokens[]
  /** Our estimate of what came behind the last call. Tokens. */
  readonly since: Tokens
  /** A compaction is behind the last call. */
  readonly compacted: boolean
}

/**
 * Reads a transcript of Claude Code from its last line backwards, as far as its last calls tell how it goes on: a dozen
 * of them, or up to the last compaction. Texts are sized by their length: the tables of the better estimate take longer
 * to set up than all the rest takes.
 */
export class LastCallsReader {
  private readonly calls: EntryFact[] = []
  private request: string | null = null
  private since = 0
  /** What is before the records of the last call that were seen: part of it was answered with them, or sent before. */
  private before = 0
  private isDone = false
  private isCompacted = false

  /** Takes the line before those that were taken. @returns whether earlier ones are wanted */
  take(line: string): boolean {
    if (line.trim() !== '') for (const fact of this.factsOf(line)) this.add(fact)
    return !this.isDone
  }

  end(): LastCalls {
    const [last] = this.calls
    const answered = this.calls.toReversed()
    return {
      last: last?.usage == null ? null : { model: last.model ?? null, at: last.at, usage: last.usage },
      trend: answered.map(reportedPrompt),
      outputs: answered.flatMap((call) => reportedOutput(call) ?? []),
      since: this.since,
      compacted: this.isCompacted,
    }
  }

  private factsOf(line: string): readonly EntryFact[] {
    const value = parsed(line)
    if (!isObject(value)) return []
    // Texts are sized only behind the last call: what is before it was counted by the provider.
    const reading = this.calls.length > 1 ? null : { estimate: charsOverFour, longTexts: null, texts: false }
    const place = { seq: 1, line: 1, offset: 0, bytes: 0 }
    return claudeCodeEntries(value, { first: false, ofAgent: false })
      .map((entry) => readTranslated(entry, place, reading).fact)
      .toReversed()
  }

  private add(fact: EntryFact): void {
    if (this.isDone) return
    if (fact.type === 'compaction') {
      this.isDone = true
      this.isCompacted = this.calls.length === 0
      return
    }
    if (isAnswer(fact)) {
      if (promptTokens(fact.usage) !== null) this.addRecord(fact)
    } else if (entersContext(fact) && !fact.transcriptOnly) this.addText(fact)
  }

  /** Behind the last call it is new; before the last of its records only where an earlier one is before that. */
  private addText({ units }: EntryFact): void {
    const sum = Object.values(units ?? {}).reduce((all, some) => all + some, 0)
    if (this.calls.length === 0) this.since += sum
    else this.before += sum
  }

  /** Records of one response are one call; the last of them has what was used in the end. */
  private addRecord(fact: EntryFact): void {
    const request = fact.requestId ?? null
    if (request !== null && request === this.request) {
      if (this.calls.length === 1) this.since += this.before
      this.before = 0
      return
    }
    if (this.calls.length >= CALLS_WANTED) {
      this.isDone = true
      return
    }
    this.request = request
    this.calls.push(fact)
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // A line that is being written, or cut at the beginning of what is read.
    return null
  }
}
