import { type PruneCall, pruneCall } from '../pruning/prune-message'
import { isImportant } from '../relevance/importance'
import { isFailedResult } from '../summary/failures'
import { isShell } from '../summary/file-ledger'
import type { SourceCall, SourceMessage } from '../summary/source-message'
import { estimateUnits } from '../tokens/estimate'
import type { Frame } from '../tokens/frame'
import { contextStep, entersContext, isAnswer, isBoundary, isCall } from '../transcript/context'
import type { EntryFact } from '../transcript/entry'
import { isUsable } from '../transcript/provider-checkpoint'
import { SEND_START, type SendState } from '../transcript/send-rules'
import { type AnsweredCall, ChunkTexts } from './chunk-texts'
import { DigestLines } from './digest-lines'
import { entryUnits } from './entry-units'
import { finishReplay, type RecordedCall } from './finish-replay'
import { ARGUMENT, PROSE } from './needs/call-output'
import { GatheredChunks } from './needs/gathered-chunks'
import { NeedList } from './needs/need-list'
import { RecordedBoundaries } from './recorded-boundaries'
import type { ReplayEntry } from './replay-entry'
import { CHUNK_FLAGS, type REPLAY_KINDS, type ReplaySession } from './replay-session'
import type { ReplaySource } from './replay-source'
import { RuleBook } from './rule-book'
import { isRuleFile } from './rules'
import { FileVersions } from './spans/file-versions'
import { type EntryPart, entryText } from './texts/entry-text'
import { lineBlocks } from './texts/line-blocks'
import { SpokenTexts } from './texts/spoken-texts'

type OpenCall = {
  readonly call: PruneCall
  readonly chunk: number
  readonly group: number
  readonly flags: number
}

/** The file that a call is about is named at its beginning. Characters. */
const MOST_COMMAND = 2_000
/** Commands that show what is in a file. */
const READS = /\b(?:cat|sed|head|tail|less|more|grep|rg|awk|nl|bat|Get-Content|type)\b/
const LOCATORS = ['path', 'file_path', 'filePath', 'file', 'url', 'uri', 'query', 'pattern', 'command', 'cmd']

/**
 * Makes a session ready for replay (lib/docs/replay.md), entry by entry, so that no more than one text is in memory at a
 * time. The same entries give the same session.
 */
export class ReplayPreparer {
  readonly #source: ReplaySource
  readonly #frames: ReadonlyMap<number, Frame>
  readonly #chunks = new GatheredChunks()
  readonly #needs = new NeedList()
  readonly #texts: ChunkTexts
  readonly #rules: RuleBook
  readonly #files: FileVersions
  readonly #boundaries: RecordedBoundaries
  readonly #spoken = new SpokenTexts()
  readonly #calls: RecordedCall[] = []
  readonly #tools = new Map<string, number>()
  readonly #open = new Map<string, OpenCall>()
  /** The newest result of each call, by its words. */
  readonly #lines = new DigestLines()
  readonly #answers = new Map<string, readonly number[]>()
  #send: SendState = SEND_START
  #turn = 0

  constructor(source: ReplaySource) {
    const { frames, cwd } = source
    this.#source = source
    this.#frames = new Map(frames.map((frame) => [frame.seq, frame]))
    this.#texts = new ChunkTexts(cwd, this.#chunks, this.#needs)
    this.#rules = new RuleBook(this.#texts.holders)
    this.#files = new FileVersions(cwd)
    this.#boundaries = new RecordedBoundaries(source, this.#chunks)
  }

  take(entry: ReplayEntry): void {
    const { fact, message } = entry
    const boundaries = this.#boundaries
    boundaries.pass(fact)
    if (isBoundary(fact)) {
      boundaries.take(entry)
      return
    }
    if (!entersContext(fact)) return
    if (isCall(fact)) this.#takeCall(fact)
    if (isAnswer(fact)) boundaries.isJustAfter = false
    const { verdict, state } = contextStep(this.#send, fact, this.#source.runtime, false)
    this.#send = state
    const isSent = verdict !== null && (verdict.sent || verdict.why === 'merged')
    if (isSent && message !== null && !boundaries.hasLeft(fact, message, this.#spoken))
      this.#takeMessage(fact, message)
    if (isUsable(fact.checkpoint)) boundaries.takeCheckpoint(entry)
  }

  finish(): ReplaySession {
    this.#endAnswer()
    const last = this.#calls.at(-1)
    if (last !== undefined)
      this.#rules.endSession(this.#calls.length - 1, last.end, this.#chunks, this.#needs)
    const { holders, likeness, again } = this.#texts
    return finishReplay({
      source: this.#source,
      chunks: this.#chunks,
      holders,
      needs: this.#needs,
      calls: this.#calls,
      boundaries: this.#boundaries.list,
      tools: [...this.#tools.keys()],
      lines: this.#lines,
      likeness: likeness.finish(),
      writtenAgain: again.finish(),
    })
  }

  /** A call was made of what there is so far. */
  #takeCall(fact: EntryFact): void {
    this.#endAnswer()
    this.#calls.push({
      fact,
      frame: this.#frames.get(fact.seq) ?? null,
      end: this.#chunks.length,
      boundary: this.#boundaries.noteCall(this.#calls.length),
    })
  }

  /** What the last call wrote becomes needs. */
  #endAnswer(): void {
    const answered = this.#answered()
    if (answered === null) return
    this.#texts.endAnswer(answered)
    if (this.#calls.at(-1)?.boundary !== this.#boundaries.list.length - 1) this.#texts.again.begin()
  }

  /** The call that was made last. */
  #answered(): AnsweredCall | null {
    const last = this.#calls.at(-1)
    if (last === undefined) return null
    const view = this.#boundaries.viewAt(last.boundary)
    return { call: this.#calls.length - 1, end: last.end, view, repeated: this.#spoken.repeated }
  }

  #takeMessage(fact: EntryFact, message: SourceMessage): void {
    if (message.role === 'user') {
      this.#turn += 1
      this.#texts.likeness.ask(message.text)
    }
    const { text, parts } = entryText(message)
    const isShellNote = message.role === 'toolResult' && message.calls.length > 0
    const images = fact.units?.image ?? 0
    const thinking = fact.units?.thinking ?? 0
    if (message.role === 'assistant') this.#takeAnswer(fact, text, parts, thinking)
    else if (message.role === 'toolResult') this.#takeResult(fact, message, text, parts, isShellNote)
    else this.#takeSpoken(fact, message, text)
    const first = this.#boundaries.firstChunk(fact)
    if (images > 0 && this.#chunks.length > first) this.#chunks.grow(first, images)
    this.#chunks.charge(first, fact.size ?? entryUnits(fact))
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
      if (call === null) {
        this.#texts.read(text.slice(from, to), chunk, PROSE)
        this.#lines.noteProse(text.slice(from, to), chunk)
      } else {
        this.#texts.stops.learn(call.of.name, namesOfArguments(call.of.input))
        const answered = this.#answered()
        const isCommand = isShell(call.of.name) || typeof call.of.input.command === 'string'
        if (isCommand) this.#texts.noteCommand(chunk)
        if (answered !== null) this.#texts.noteCopies(text.slice(call.args, to), isCommand, answered)
        const isEdit = Object.keys(call.of.input).some((field) => OLD_TEXT.test(field))
        this.#texts.read(text.slice(call.args, to), chunk, ARGUMENT, isEdit)
        const [touch] = pruned?.touches ?? []
        const said = text.slice(call.args, Math.min(to, call.args + MOST_COMMAND))
        const command = isCommand && !READS.test(said) ? '' : said
        this.#chunks.setFile(
          chunk,
          touch === undefined ? this.#texts.fileIn(command) : this.#texts.file(touch.path),
        )
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
      this.#texts.read(text.slice(part.call.args, part.to), chunk, null)
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
      (open === undefined && this.#boundaries.isJustAfter ? CHUNK_FLAGS.reread : 0)
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
      if (open !== undefined) this.#chunks.setFile(chunk, this.#chunks.file(open.chunk))
      if (isRules) this.#rules.read(said.slice(from, to), 'file', chunk, group)
      this.#texts.read(said.slice(from, to), chunk, null)
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
    const last = this.#calls.at(-1)
    if (isUser && last !== undefined)
      this.#rules.endTask(this.#calls.length - 1, last.end, this.#chunks, this.#needs)
    const units = Math.max(1, entryUnits(fact) - (fact.units?.image ?? 0))
    const injected = !isUser && this.#boundaries.isJustAfter ? CHUNK_FLAGS.reread : 0
    const marked = isImportant({ ...(isUser && { role: 'user' }), text }) ? CHUNK_FLAGS.important : 0
    const chunk = this.#add(fact, {
      kind: isUser ? 'user' : isRuleEntry(fact) ? 'rule' : 'other',
      units,
      flags: injected | marked,
      ...{ thinking: 0, cleared: 1, group: null, block: 0, tool: -1, from: 0, to: text.length },
    })
    this.#texts.read(text, chunk, null)
    this.#spoken.add(text, chunk)
    if (isUser) this.#lines.noteUser(text, chunk)
    if (isUser || isRuleEntry(fact))
      this.#rules.read(text, isUser ? 'user' : 'file', chunk, this.#chunks.group(chunk))
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

  #tool(name: string): number {
    const known = this.#tools.get(name)
    if (known !== undefined) return known
    this.#tools.set(name, this.#tools.size)
    return this.#tools.size - 1
  }
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

/** Fields with the text that an edit replaces, or with several edits. */
const OLD_TEXT = /^(?:old|edits|search)/i
/** Fields with one of the values that a tool has for them. */
const CHOICE = /(?:^|_)(?:mode|type|format|level|kind|status)$/

/** Fields of a call's arguments, and what it chose where a tool has a choice: it names them itself. */
function namesOfArguments(input: SourceCall['input']): string[] {
  return Object.entries(input).flatMap(([field, value]) =>
    CHOICE.test(field) && typeof value === 'string' ? [field, value] : [field],
  )
}

function hasLocator({ name, input }: SourceCall): boolean {
  return isShell(name) || LOCATORS.some((field) => typeof input[field] === 'string')
}

/** Instructions that the runtime put into the conversation. */
function isRuleEntry({ units }: EntryFact): boolean {
  return (units?.['bootstrap-file'] ?? 0) > 0
}
