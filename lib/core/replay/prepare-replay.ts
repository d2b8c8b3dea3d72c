import { type PruneCall, pruneCall } from '../pruning/prune-message'
import { isImportant } from '../relevance/importance'
import { scanSpans } from '../relevance/spans'
import { isFailedResult } from '../summary/failures'
import { isShell } from '../summary/file-ledger'
import type { SourceCall, SourceMessage } from '../summary/source-message'
import { estimateUnits } from '../tokens/estimate'
import type { Frame } from '../tokens/frame'
import { contextStep, entersContext, isAnswer, isBoundary, isCall } from '../transcript/context'
import type { EntryFact } from '../transcript/entry'
import { isUsable } from '../transcript/provider-checkpoint'
import { SEND_START, type SendState } from '../transcript/send-rules'
import { AskedLikeness } from './asked-likeness'
import { ARGUMENT, CallOutput, exclusionOf, PROSE, type RecordedView, WHOLE_VIEW } from './call-output'
import { copiesIn } from './copies'
import { type EntryPart, entryText } from './entry-text'
import { FileVersions } from './file-versions'
import { finishReplay, type RecordedCall } from './finish-replay'
import { GatheredChunks } from './gathered-chunks'
import { HoldingText } from './held-spans'
import { lineBlocks } from './line-blocks'
import { NeedList } from './need-list'
import { NEED_WEIGHTS } from './need-weights'
import { PrintHolders } from './print-holders'
import { CHUNK_FLAGS, NEED_KINDS, type REPLAY_KINDS, type ReplaySession } from './replay-session'
import type { RecordedBoundary, ReplaySource } from './replay-source'
import { RuleBook } from './rule-book'
import { isRuleFile } from './rules'
import { SpanHolders } from './span-holders'
import { partsOfPath, spanKey } from './span-key'
import { SpanStops } from './span-stops'
import { forPrints } from './winnowing'
import { WrittenAgainTally } from './written-again'

/** One entry of the path, in order; compactions too. */
export type ReplayEntry = {
  readonly fact: EntryFact
  /** null: nothing of it reaches a model, or it cannot be read. */
  readonly message: SourceMessage | null
  /**
   * Of a compaction or reset: sequence numbers of the first entry that it keeps and of the last one; null: it keeps
   * nothing, or everything after the first.
   */
  readonly kept?: { readonly first: number | null; readonly last: number | null }
  /** What a provider's own summary says, where it can be read. */
  readonly summary?: string
}

type OpenCall = {
  readonly call: PruneCall
  readonly chunk: number
  readonly group: number
  readonly flags: number
}

/** Of a summary so much is compared with what was needed. Characters. */
const MOST_SUMMARY = 200_000
/** The same words so often are a runtime's own prompt. */
const REPEATED = 3
const HEARTBEAT = /\bHEARTBEAT(?:_OK|\.md)\b/
const LOCATORS = ['path', 'file_path', 'filePath', 'file', 'url', 'uri', 'query', 'pattern', 'command', 'cmd']

/** Makes a session ready for replay (lib/docs/replay.md). Same input, same session. */
export function prepareReplay(source: ReplaySource, entries: Iterable<ReplayEntry>): ReplaySession {
  const preparer = new ReplayPreparer(source)
  for (const entry of entries) preparer.take(entry)
  return preparer.finish()
}

/**
 * The same, entry by entry, so that no more than one text is in memory at a time; of those before, their spans are.
 */
export class ReplayPreparer {
  readonly #source: ReplaySource
  readonly #frames: ReadonlyMap<number, Frame>
  readonly #chunks = new GatheredChunks()
  readonly #holders = new SpanHolders()
  readonly #needs = new NeedList()
  readonly #prints = new PrintHolders()
  readonly #rules = new RuleBook(this.#holders)
  readonly #stops: SpanStops
  readonly #files: FileVersions
  readonly #output = new CallOutput()
  readonly #again = new WrittenAgainTally()
  readonly #calls: RecordedCall[] = []
  readonly #boundaries: RecordedBoundary[] = []
  readonly #tools = new Map<string, number>()
  readonly #open = new Map<string, OpenCall>()
  /** The newest result of each call, by its words. */
  readonly #answers = new Map<string, readonly number[]>()
  readonly #likeness = new AskedLikeness()
  /** How many chunks there were before each entry. */
  readonly #before = new Map<number, number>()
  /** The first chunk of each text under a user's role or a runtime's. */
  readonly #spoken = new Map<string, number>()
  /** Chunks by their words without figures, as far as they repeat one another. */
  readonly #prompts = new Map<string, number[]>()
  readonly #repeated = new Set<number>()
  #send: SendState = SEND_START
  #view: RecordedView = WHOLE_VIEW
  #turn = 0
  /** Nothing but what a compaction left and what the runtime adds to it came since. */
  #isAfterBoundary = false

  constructor(source: ReplaySource) {
    this.#source = source
    this.#frames = new Map(source.frames.map((frame) => [frame.seq, frame]))
    this.#files = new FileVersions(source.cwd)
    this.#stops = new SpanStops(source.cwd)
  }

  take(entry: ReplayEntry): void {
    const { fact, message } = entry
    this.#before.set(fact.seq, this.#chunks.length)
    if (isBoundary(fact)) {
      this.#takeBoundary(entry)
      return
    }
    if (!entersContext(fact)) return
    if (isCall(fact)) this.#takeCall(fact)
    if (isAnswer(fact)) this.#isAfterBoundary = false
    const { verdict, state } = contextStep(this.#send, fact, this.#source.runtime, false)
    this.#send = state
    const isSent = verdict !== null && (verdict.sent || verdict.why === 'merged')
    if (isSent && message !== null && !this.#isLeftByBoundary(fact, message)) this.#takeMessage(fact, message)
    if (isUsable(fact.checkpoint)) this.#takeCheckpoint(entry)
  }

  finish(): ReplaySession {
    this.#flush()
    const last = this.#calls.at(-1)
    if (last !== undefined) this.#rules.require(this.#calls.length - 1, last.end, this.#chunks, this.#needs)
    return finishReplay({
      source: this.#source,
      chunks: this.#chunks,
      holders: this.#holders,
      needs: this.#needs,
      calls: this.#calls,
      boundaries: this.#boundaries,
      tools: [...this.#tools.keys()],
      likeness: this.#likeness.finish(),
      writtenAgain: this.#again.finish(),
    })
  }

  /** A call was made of what there is so far. */
  #takeCall(fact: EntryFact): void {
    this.#flush()
    for (let i = this.#boundaries.length - 1; i >= 0 && this.#boundaries[i]?.before === -1; i--)
      (this.#boundaries[i] as RecordedBoundary).before = this.#calls.length
    this.#calls.push({
      fact,
      frame: this.#frames.get(fact.seq) ?? null,
      end: this.#chunks.length,
      boundary: this.#boundaries.length - 1,
    })
  }

  /** What the last call wrote becomes needs. */
  #flush(): void {
    const call = this.#calls.length - 1
    const last = this.#calls[call]
    if (last === undefined) return
    const view = this.#viewAt(last.boundary)
    const [chunks, holders] = [this.#chunks, this.#holders]
    const [repeated, again] = [this.#repeated, this.#again]
    this.#output.flush({ call, end: last.end, view, chunks, holders, repeated, again }, this.#needs)
    if (last.boundary !== this.#boundaries.length - 1) again.begin()
  }

  #viewAt(boundary: number): RecordedView {
    return boundary === this.#boundaries.length - 1 ? this.#view : viewOf(this.#boundaries[boundary])
  }

  #takeBoundary({ fact, message, kept }: ReplayEntry): void {
    const end = this.#chunks.length
    const first = kept?.first == null ? end : (this.#before.get(kept.first) ?? end)
    const boundary: RecordedBoundary = {
      at: fact.at,
      ...{ before: -1, firstKept: first, kept: new Set(), summary: null, summaryUnits: 0, encrypted: false },
      asked: fact.asked === true || fact.type === 'reset',
      end,
    }
    const stop = kept?.last == null ? end : this.#endOf(kept.last, end)
    if (stop < end) {
      for (let chunk = first; chunk < stop; chunk++) boundary.kept.add(chunk)
      boundary.firstKept = end
    }
    this.#boundaries.push(boundary)
    this.#isAfterBoundary = true
    if (message !== null && message.text !== '') this.#takeSummary(message.text, sizeOf(fact))
    this.#view = viewOf(boundary)
  }

  /** The chunks of an entry end where the next one's begin. */
  #endOf(seq: number, end: number): number {
    const begin = this.#before.get(seq)
    if (begin === undefined) return end
    let stop = begin
    while (stop < end && this.#chunks.entry(stop) === seq) stop += 1
    return stop
  }

  #takeSummary(text: string, units: number): void {
    const boundary = this.#boundaries.at(-1)
    if (boundary === undefined) return
    const short = text.slice(0, MOST_SUMMARY)
    boundary.summary = new HoldingText(short, this.#source.cwd)
    boundary.summaryUnits = Math.max(units, estimateUnits(short))
    this.#view = viewOf(boundary)
  }

  /** A provider compacted the conversation on its side; its summary takes the place of all before this answer. */
  #takeCheckpoint({ fact, summary }: ReplayEntry): void {
    const boundary: RecordedBoundary = {
      at: fact.at,
      ...{ before: -1, firstKept: this.#before.get(fact.seq) ?? this.#chunks.length, kept: new Set() },
      ...{ summary: null, summaryUnits: 0, encrypted: summary === undefined, asked: false },
      end: this.#chunks.length,
    }
    this.#boundaries.push(boundary)
    this.#view = viewOf(boundary)
    if (summary !== undefined) this.#takeSummary(summary, 0)
  }

  /**
   * Whether an entry is what a compaction left: its summary, or a message that was there before and is written out once
   * more.
   */
  #isLeftByBoundary(fact: EntryFact, message: SourceMessage): boolean {
    const boundary = this.#boundaries.at(-1)
    if (boundary === undefined || !this.#isAfterBoundary) return false
    if (fact.customType === ENCRYPTED) {
      boundary.encrypted = true
      this.#view = viewOf(boundary)
      return true
    }
    if (message.role === 'summary' && fact.role === 'compactionSummary') {
      this.#takeSummary(message.text, sizeOf(fact))
      return true
    }
    const known = this.#spoken.get(message.text)
    if (known === undefined || message.text === '') return false
    // A user may say the same again; Codex writes out what it keeps.
    if (this.#source.runtime !== 'codex') return false
    boundary.kept.add(known)
    return true
  }

  #takeMessage(fact: EntryFact, message: SourceMessage): void {
    if (message.role === 'user') {
      this.#turn += 1
      this.#likeness.ask(message.text)
    }
    const { text, parts } = entryText(message)
    const isShellNote = message.role === 'toolResult' && message.calls.length > 0
    const images = fact.units?.image ?? 0
    const thinking = fact.units?.thinking ?? 0
    if (message.role === 'assistant') this.#takeAnswer(fact, text, parts, thinking)
    else if (message.role === 'toolResult') this.#takeResult(fact, message, text, parts, isShellNote)
    else this.#takeSpoken(fact, message, text)
    const first = this.#before.get(fact.seq) ?? 0
    if (images > 0 && this.#chunks.length > first) this.#chunks.grow(first, images)
    this.#chunks.charge(first, fact.size ?? sizeOf(fact))
  }

  #takeAnswer(fact: EntryFact, text: string, parts: readonly EntryPart[], thinking: number): void {
    const weigh = sharesOf(text, parts, {
      said: fact.units?.assistant,
      called: fact.units?.['tool-call'],
    })
    let rest = thinking
    for (const [i, part] of parts.entries()) {
      const { call, from, to } = part
      const flags = call !== null && hasLocator(call.of) ? CHUNK_FLAGS.locator : 0
      const pruned = call === null ? null : pruneCall(call.of, call.of.input)
      const chunk = this.#add(fact, {
        kind: call === null ? 'prose' : 'call',
        units: weigh[i] ?? 0,
        thinking: rest,
        cleared: pruned === null ? 1 : pruned.clearedChars / Math.max(1, pruned.chars),
        tool: call === null ? -1 : this.#tool(call.of.name),
        ...{ group: null, block: 0, flags, from, to },
      })
      rest = 0
      if (call === null) this.#scan(text.slice(from, to), chunk, PROSE)
      else {
        this.#stops.learn(call.of.name, Object.keys(call.of.input))
        this.#noteCopies(text.slice(call.args, to))
        this.#scan(text.slice(call.args, to), chunk, ARGUMENT)
        if (pruned !== null && pruned.id !== '')
          this.#open.set(pruned.id, { call: pruned, chunk, group: this.#chunks.group(chunk), flags })
      }
    }
    if (rest > 0) {
      const empty = { from: 0, to: 0, units: 0, cleared: 1, group: null, block: 0, tool: -1, flags: 0 }
      this.#add(fact, { kind: 'prose', thinking: rest, ...empty })
    }
  }

  #takeResult(
    fact: EntryFact,
    message: SourceMessage,
    text: string,
    parts: readonly EntryPart[],
    isShellNote: boolean,
  ): void {
    const failed = isFailedResult(message)
    let open = this.#open.get(message.resultFor ?? '')
    if (message.resultFor !== undefined) this.#open.delete(message.resultFor)
    const said = message.text
    if (isShellNote) {
      // A command of the operator's own: its line and what it printed are one entry.
      const part = parts.find(({ call }) => call !== null)
      if (part?.call == null) return
      const chunk = this.#add(fact, {
        ...{ kind: 'call', units: estimateUnits(text.slice(part.from, part.to)), thinking: 0 },
        ...{ group: null, block: 0, cleared: 1, flags: CHUNK_FLAGS.locator },
        tool: this.#tool(part.call.of.name),
        ...{ from: part.from, to: part.to },
      })
      this.#scan(text.slice(part.call.args, part.to), chunk, null)
      open = {
        call: pruneCall(part.call.of, part.call.of.input),
        chunk,
        group: this.#chunks.group(chunk),
        flags: CHUNK_FLAGS.locator,
      }
    }
    const blocks = lineBlocks(said)
    if (blocks.length === 0) blocks.push({ from: 0, to: 0, units: 1 })
    const all = blocks.reduce((sum, { units }) => sum + units, 0)
    const scale = isShellNote ? 1 : (fact.units?.['tool-result'] ?? all) / Math.max(1, all)
    const group = open?.group ?? this.#chunks.newGroup()
    const flags =
      (failed ? CHUNK_FLAGS.error : 0) |
      (open?.flags ?? 0) |
      (open === undefined && this.#isAfterBoundary ? CHUNK_FLAGS.reread : 0)
    const name = message.toolName ?? open?.call.name
    const tool = name === undefined ? -1 : this.#tool(name)
    const isRules = open?.call.touches.some(({ path, how }) => how === 'read' && isRuleFile(path)) === true
    const read: number[] = []
    for (const [block, { from, to, units }] of blocks.entries()) {
      const chunk = this.#add(fact, {
        ...{ kind: 'result', units: units * scale, thinking: 0, cleared: 1 },
        ...{ group, block, tool, flags, from, to },
      })
      read.push(chunk)
      if (isRules) this.#rules.read(said.slice(from, to), 'file', chunk, group)
      this.#scan(said.slice(from, to), chunk, null)
    }
    if (open !== undefined) this.#noteAnswer(open, failed, read)
  }

  /** What a call's answer makes of those before it. */
  #noteAnswer({ call, chunk }: OpenCall, failed: boolean, read: readonly number[]): void {
    const now = this.#calls.length
    if (call.key !== '') {
      for (const old of this.#answers.get(call.key) ?? []) this.#chunks.repeat(old, now)
      this.#answers.set(call.key, read)
    }
    if (failed) return
    for (const old of this.#files.done(call, chunk, read)) this.#chunks.supersede(old, now)
  }

  /** What a user or the runtime said. */
  #takeSpoken(fact: EntryFact, message: SourceMessage, text: string): void {
    if (text === '' && (fact.units?.image ?? 0) === 0) return
    const isUser = message.role === 'user'
    const units = Math.max(1, sizeOf(fact) - (fact.units?.image ?? 0))
    const injected = !isUser && this.#isAfterBoundary ? CHUNK_FLAGS.reread : 0
    const marked = isImportant({ ...(isUser && { role: 'user' }), text }) ? CHUNK_FLAGS.important : 0
    const chunk = this.#add(fact, {
      kind: isUser ? 'user' : isRuleEntry(fact) ? 'rule' : 'other',
      units,
      flags: injected | marked,
      ...{ thinking: 0, cleared: 1, group: null, block: 0, tool: -1, from: 0, to: text.length },
    })
    this.#scan(text, chunk, null)
    if (!this.#spoken.has(text)) this.#spoken.set(text, chunk)
    if (isUser || isRuleEntry(fact))
      this.#rules.read(text, isUser ? 'user' : 'file', chunk, this.#chunks.group(chunk))
    this.#noteRepeated(text, chunk)
  }

  #noteRepeated(text: string, chunk: number): void {
    const key = text.slice(0, 2_000).replace(/\d+/g, '0').replace(/\s+/g, ' ').trim()
    const same = this.#prompts.get(key) ?? []
    same.push(chunk)
    this.#prompts.set(key, same)
    if (same.length >= REPEATED || HEARTBEAT.test(text)) for (const one of same) this.#repeated.add(one)
  }

  #add(
    fact: EntryFact,
    chunk: {
      readonly kind: (typeof REPLAY_KINDS)[number]
      readonly units: number
      readonly thinking: number
      readonly cleared: number
      readonly group: number | null
      readonly block: number
      readonly tool: number
      readonly flags: number
      readonly from: number
      readonly to: number
    },
  ): number {
    const flags = chunk.flags | (fact.important === true ? CHUNK_FLAGS.important : 0)
    return this.#chunks.add({
      ...chunk,
      flags,
      born: this.#calls.length,
      turn: this.#turn,
      entry: fact.seq,
    })
  }

  /** @param role of what a call wrote; null: it is no output of a model */
  #scan(text: string, chunk: number, role: number | null): void {
    const group = this.#chunks.group(chunk)
    this.#likeness.add(chunk, text)
    forPrints(text, (print) => this.#prints.add(print, chunk))
    scanSpans(text, (found) => {
      const key = spanKey(found, this.#source.cwd)
      if (this.#stops.has(key, found.kind)) return
      const span = this.#holders.number({ kind: found.kind, text: key })
      if (span < 0) return
      if (role !== null) this.#output.note(span, role)
      this.#holders.add(span, chunk, group)
      if (found.kind === 'path') this.#addParts(key, chunk, group)
    })
  }

  /** A path also says the folders on it and its last part, where those are known by themselves. */
  #addParts(path: string, chunk: number, group: number): void {
    for (const part of partsOfPath(path)) {
      const span = this.#holders.find(part)
      if (span >= 0) this.#holders.add(span, chunk, group)
    }
  }

  /** What an argument copied from earlier chunks is needed by its call. */
  #noteCopies(text: string): void {
    const call = this.#calls.length - 1
    const last = this.#calls[call]
    if (last === undefined) return
    const view = this.#viewAt(last.boundary)
    const [chunks, repeated] = [this.#chunks, this.#repeated]
    for (const copy of copiesIn(text, this.#prints, last.end)) {
      const span = this.#holders.number({ kind: 'copy', text: copy.text, key: `copy ${copy.text}` })
      if (span < 0) continue
      for (const source of copy.sources) this.#holders.add(span, source, chunks.group(source))
      const exclusion = exclusionOf(copy.sources, copy.text, { view, chunks, repeated })
      const weight = NEED_WEIGHTS.copy * copy.share
      this.#needs.add({ at: call, kind: COPY, span, weight, exclusion, sources: copy.sources })
    }
  }

  #tool(name: string): number {
    const known = this.#tools.get(name)
    if (known !== undefined) return known
    this.#tools.set(name, this.#tools.size)
    return this.#tools.size - 1
  }
}

const COPY = NEED_KINDS.indexOf('copy')

const ENCRYPTED = 'codex:compaction-encrypted'

function viewOf(boundary: RecordedBoundary | undefined): RecordedView {
  if (boundary === undefined) return WHOLE_VIEW
  const { firstKept, kept, summary, end, encrypted } = boundary
  return { firstKept, kept, summary: summary?.keys ?? NO_KEYS, end, encrypted }
}

const NO_KEYS: ReadonlySet<string> = new Set()

/** Estimator units of an entry, all categories together. */
function sizeOf({ units }: EntryFact): number {
  return Object.values(units ?? {}).reduce((sum, value) => sum + value, 0)
}

/** The units of an answer's parts: what was said and what was called each divided by the length of their texts. */
function sharesOf(
  text: string,
  parts: readonly EntryPart[],
  whole: { readonly said: number | undefined; readonly called: number | undefined },
): number[] {
  const own = parts.map(({ from, to }) => estimateUnits(text.slice(from, to)))
  const sum = (isCall: boolean) =>
    parts.reduce((all, { call }, i) => all + ((call !== null) === isCall ? (own[i] ?? 0) : 0), 0)
  const [said, called] = [sum(false), sum(true)]
  return parts.map(({ call }, i) => {
    const [all, units] = call === null ? [said, whole.said] : [called, whole.called]
    return (own[i] ?? 0) * (all > 0 && units !== undefined ? units / all : 1)
  })
}

function hasLocator({ name, input }: SourceCall): boolean {
  return isShell(name) || LOCATORS.some((field) => typeof input[field] === 'string')
}

/** Instructions that the runtime put into the conversation. */
function isRuleEntry({ units }: EntryFact): boolean {
  return (units?.['bootstrap-file'] ?? 0) > 0
}
