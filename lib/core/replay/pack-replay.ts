import { z } from 'zod'
import { SENDERS } from '../transcript/send-rules'
import { BadBytes, ByteReader } from './byte-reader'
import { ByteWriter } from './byte-writer'
import { NEED_GRAIN } from './needs/need-weights'
import {
  DIGEST_LINES,
  NEED_KINDS,
  NEVER,
  REPLAY_KINDS,
  REPLAY_VERSION,
  type ReplayCalls,
  type ReplayChunks,
  type ReplayCompaction,
  type ReplayDigestLines,
  type ReplayLikeness,
  type ReplayNeeds,
  type ReplaySession,
  type ReplaySpans,
} from './replay-session'

/** The first bytes of what is packed: `PRS` and the number of this form. */
const MARK = [0x50, 0x52, 0x53, 4]

const headSchema = z.object({
  version: z.literal(REPLAY_VERSION),
  transcriptId: z.string(),
  storeId: z.string(),
  sessionId: z.string(),
  runtime: z.enum(SENDERS),
  agent: z.string().nullable(),
  owner: z.string(),
  startedAt: z.number().nullable(),
  fixed: z.number(),
  sizeErrorPct: z.number().nullable(),
  tools: z.array(z.string()),
  models: z.array(z.object({ provider: z.string().nullable(), model: z.string().nullable() })),
  excluded: z.object({
    ...{ quoted: z.number(), reread: z.number(), encrypted: z.number(), repeated: z.number() },
    ...{ unseen: z.number(), refused: z.number() },
  }),
  writtenAgain: z.object({ shown: z.array(z.number()), unseen: z.array(z.number()) }),
  fit: z.object({
    ...{ matched: z.number(), compared: z.number() },
    ...{ money: z.number().nullable(), moneyByTimes: z.number().nullable() },
    ...{ rewrites: z.number().nullable(), coldStarts: z.array(z.number()) },
  }),
  cacheLife: z.number(),
  passedOver: z.number(),
})

/** A prepared session as bytes, to be kept: about 30 KB for one of 360 chunks. The same session gives the same bytes. */
export function packReplay(session: ReplaySession): Uint8Array<ArrayBuffer> {
  const { chunks, calls, needs, spans, lines, likeness, compactions, spanHashes, ...head } = session
  const writer = new ByteWriter()
  writer.raw(Uint8Array.from(MARK))
  writer.text(JSON.stringify(head))
  packChunks(writer, chunks)
  packCalls(writer, calls)
  packSpans(writer, spans)
  packSteps(writer, chunks.file)
  packNeeds(writer, needs)
  packLines(writer, lines)
  packLikeness(writer, likeness)
  writer.count(compactions.length)
  for (const compaction of compactions) packCompaction(writer, compaction)
  packHashes(writer, spanHashes)
  return writer.finish()
}

/**
 * The session that was packed; null for bytes of another version, of something else, or damaged ones. What comes back
 * is within its bounds: every number of a chunk, call, span, tool or model is of one that is there.
 */
export function unpackReplay(bytes: Uint8Array): ReplaySession | null {
  try {
    return unpack(new ByteReader(bytes))
  } catch (error) {
    if (error instanceof BadBytes || error instanceof SyntaxError) return null
    throw error
  }
}

function unpack(reader: ByteReader): ReplaySession {
  if (reader.raw(MARK.length).some((byte, i) => byte !== MARK[i])) throw new BadBytes('it is something else')
  const head = headSchema.safeParse(JSON.parse(reader.text()))
  if (!head.success) throw new BadBytes('the head is of another version')
  const { tools, models } = head.data
  const columns = unpackChunks(reader, tools.length)
  const calls = unpackCalls(reader, models.length)
  const spans = unpackSpans(reader, columns.count)
  const chunks = { ...columns, file: unpackSteps(reader, columns.count, -1, spans.count) }
  const needs = unpackNeeds(reader, chunks.count, calls.count, spans.texts.length)
  const lines = unpackLines(reader, chunks.count, spans.texts.length)
  const likeness = unpackLikeness(reader, chunks.count)
  const compactions: ReplayCompaction[] = []
  for (let left = reader.size(7); left > 0; left--)
    compactions.push(unpackCompaction(reader, chunks.count, calls.count, spans.texts.length))
  const spanHashes = unpackHashes(reader)
  if (!reader.isAtEnd) throw new BadBytes('something follows')
  return { ...head.data, chunks, calls, needs, spans, lines, likeness, compactions, spanHashes }
}

/** Each number by its difference to the one before: most are small. */
function packSteps(writer: ByteWriter, values: ArrayLike<number>): void {
  let before = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    writer.signed(value - before)
    before = value
  }
}

function unpackSteps(
  reader: ByteReader,
  count: number,
  least: number,
  below: number,
): Int32Array<ArrayBuffer> {
  const values = new Int32Array(count)
  let value = 0
  for (let i = 0; i < count; i++) {
    value += reader.signed()
    if (value < least || value >= below) throw new BadBytes('a number is out of bounds')
    values[i] = value
  }
  return values
}

const ANY = 0x7fffffff

function packChunks(writer: ByteWriter, chunks: ReplayChunks): void {
  writer.count(chunks.count)
  const { tokens, size, cleared, born, kind, group, block, tool, turn, flags, entry, from, to } = chunks
  // Most are what they are compared with.
  packSteps(writer, tokens)
  packApart(writer, size, tokens)
  packApart(writer, cleared, tokens)
  for (const column of [born, kind, group, block, tool, turn, flags, entry, from]) packSteps(writer, column)
  packApart(writer, to, from)
  for (const column of [chunks.superseded, chunks.repeated])
    for (const call of column) writer.count(call === NEVER ? 0 : call + 1)
}

function unpackChunks(reader: ByteReader, tools: number): Omit<ReplayChunks, 'file'> {
  const count = reader.size(15)
  const column = (least: number, below: number) => unpackSteps(reader, count, least, below)
  const tokens = column(0, ANY)
  const size = unpackApart(reader, tokens)
  const cleared = unpackApart(reader, tokens)
  const columns = {
    count,
    tokens,
    size,
    cleared,
    born: column(0, ANY),
    kind: Uint8Array.from(column(0, REPLAY_KINDS.length)),
    group: column(-1, count),
    block: column(0, count),
    tool: column(-1, tools),
    turn: column(0, ANY),
    flags: Uint8Array.from(column(0, 256)),
    entry: column(0, ANY),
    from: column(0, ANY),
  }
  const to = unpackApart(reader, columns.from)
  return {
    ...columns,
    to,
    superseded: unpackCalled(reader, count),
    repeated: unpackCalled(reader, count),
  }
}

/** Each number by its difference to another column. */
function packApart(writer: ByteWriter, values: Int32Array, from: Int32Array): void {
  for (const [i, value] of values.entries()) writer.signed(value - (from[i] as number))
}

function unpackApart(reader: ByteReader, from: Int32Array): Int32Array<ArrayBuffer> {
  return Int32Array.from(from, (value) => {
    const sum = value + reader.signed()
    if (sum < 0 || sum > ANY) throw new BadBytes('a number is out of bounds')
    return sum
  })
}

function unpackCalled(reader: ByteReader, count: number): Int32Array<ArrayBuffer> {
  const calls = new Int32Array(count)
  for (let i = 0; i < count; i++) {
    const call = reader.count()
    if (call > ANY) throw new BadBytes('a number is too large')
    calls[i] = call === 0 ? NEVER : call - 1
  }
  return calls
}

function packCalls(writer: ByteWriter, calls: ReplayCalls): void {
  writer.count(calls.count)
  for (const at of calls.at) writer.double(at)
  const { prompt, cacheRead, cacheWrite, output, window, believed, model, entry } = calls
  for (const column of [prompt, cacheRead, cacheWrite, output, window, believed, model, entry])
    packSteps(writer, column)
}

function unpackCalls(reader: ByteReader, models: number): ReplayCalls {
  const count = reader.size(15)
  const column = (least: number, below: number) => unpackSteps(reader, count, least, below)
  return {
    count,
    at: Float64Array.from({ length: count }, () => reader.double()),
    prompt: column(-1, ANY),
    cacheRead: column(-1, ANY),
    cacheWrite: column(-1, ANY),
    output: column(-1, ANY),
    window: column(-1, ANY),
    believed: column(-1, ANY),
    model: column(-1, models),
    entry: column(0, ANY),
  }
}

function packSpans(writer: ByteWriter, { count, texts, kind, tokens, offset, holder }: ReplaySpans): void {
  writer.count(count)
  writer.count(texts.length)
  for (const text of texts) writer.text(text)
  for (const one of kind) writer.count(one)
  for (const one of tokens) writer.count(one)
  packLists(writer, offset, holder)
}

function unpackSpans(reader: ByteReader, chunks: number): ReplaySpans {
  const count = reader.size(4)
  const named = reader.size(1)
  if (named > count) throw new BadBytes('there are more texts than spans')
  const texts = Array.from({ length: named }, () => reader.text())
  const counts = (below: number) =>
    Int32Array.from({ length: count }, () => {
      const value = reader.count()
      if (value >= below) throw new BadBytes('a number is out of bounds')
      return value
    })
  const kind = Uint8Array.from(counts(NEED_KINDS.length))
  const tokens = counts(ANY)
  const { offset, items: holder } = unpackLists(reader, count, chunks)
  return { count, texts, kind, tokens, offset, holder }
}

/** Lists of numbers, one behind another: how long each is, then what is in it. */
function packLists(writer: ByteWriter, offset: Int32Array, items: Int32Array): void {
  for (let n = 0; n + 1 < offset.length; n++) writer.count((offset[n + 1] as number) - (offset[n] as number))
  for (let n = 0; n + 1 < offset.length; n++) packSteps(writer, items.subarray(offset[n], offset[n + 1]))
}

function unpackLists(
  reader: ByteReader,
  count: number,
  below: number,
): { readonly offset: Int32Array<ArrayBuffer>; readonly items: Int32Array<ArrayBuffer> } {
  const offset = new Int32Array(count + 1)
  let all = 0
  for (let n = 0; n < count; n++) {
    all += reader.size(1)
    offset[n + 1] = all
  }
  if (all > reader.left) throw new BadBytes('more is announced than follows')
  const items = new Int32Array(all)
  for (let n = 0; n < count; n++) {
    const [from, to] = [offset[n] as number, offset[n + 1] as number]
    items.set(unpackSteps(reader, to - from, 0, below), from)
  }
  return { offset, items }
}

function packLines(
  writer: ByteWriter,
  { count, kind, chunk, tokens, offset, span }: ReplayDigestLines,
): void {
  writer.count(count)
  for (const column of [kind, chunk, tokens]) packSteps(writer, column)
  packLists(writer, offset, span)
}

function unpackLines(reader: ByteReader, chunks: number, spans: number): ReplayDigestLines {
  const count = reader.size(4)
  const kind = Uint8Array.from(unpackSteps(reader, count, 0, DIGEST_LINES.length))
  const chunk = unpackSteps(reader, count, 0, chunks)
  const tokens = unpackSteps(reader, count, 0, ANY)
  const { offset, items: span } = unpackLists(reader, count, spans)
  return { count, kind, chunk, tokens, offset, span }
}

function packLikeness(writer: ByteWriter, { offset, chunk, value }: ReplayLikeness): void {
  writer.count(offset.length - 1)
  packLists(writer, offset, chunk)
  writer.raw(value)
}

function unpackLikeness(reader: ByteReader, chunks: number): ReplayLikeness {
  const { offset, items: chunk } = unpackLists(reader, reader.size(1), chunks)
  return { offset, chunk, value: Uint8Array.from(reader.raw(chunk.length)) }
}

/** Rising numbers of 32 bits, each by its difference to the one before. */
function packHashes(writer: ByteWriter, hashes: Uint32Array): void {
  writer.count(hashes.length)
  for (const [i, hash] of hashes.entries()) writer.count(hash - (hashes[i - 1] ?? 0))
}

function unpackHashes(reader: ByteReader): Uint32Array<ArrayBuffer> {
  const hashes = new Uint32Array(reader.size(1))
  let hash = 0
  for (const i of hashes.keys()) {
    hash += reader.count()
    if (hash > 0xffffffff) throw new BadBytes('a number is too large')
    hashes[i] = hash
  }
  return hashes
}

function packNeeds(writer: ByteWriter, { count, at, weight, kind, span, offset, source }: ReplayNeeds): void {
  writer.count(count)
  for (const column of [at, kind, span]) packSteps(writer, column)
  for (const one of weight) writer.count(Math.round(one * NEED_GRAIN))
  packLists(writer, offset, source)
}

function unpackNeeds(reader: ByteReader, chunks: number, calls: number, spans: number): ReplayNeeds {
  const count = reader.size(5)
  const at = unpackSteps(reader, count, 0, calls)
  const kind = Uint8Array.from(unpackSteps(reader, count, 0, NEED_KINDS.length))
  const span = unpackSteps(reader, count, 0, spans)
  const weight = new Float32Array(count)
  for (let n = 0; n < count; n++) weight[n] = reader.count() / NEED_GRAIN
  const { offset, items: source } = unpackLists(reader, count, chunks)
  return { count, at, weight, kind, span, offset, source }
}

function packCompaction(writer: ByteWriter, compaction: ReplayCompaction): void {
  const { before, firstKept, kept, summaryTokens, holds, encrypted, asked } = compaction
  for (const value of [before, firstKept, summaryTokens, Number(encrypted), Number(asked)])
    writer.count(value)
  for (const list of [kept, holds]) {
    writer.count(list.length)
    packSteps(writer, list)
  }
}

function unpackCompaction(
  reader: ByteReader,
  chunks: number,
  calls: number,
  spans: number,
): ReplayCompaction {
  const upTo = (most: number) => {
    const value = reader.count()
    if (value > most) throw new BadBytes('a number is out of bounds')
    return value
  }
  const [before, firstKept, summaryTokens] = [upTo(calls), upTo(chunks), upTo(ANY)]
  const [encrypted, asked] = [upTo(1) === 1, upTo(1) === 1]
  const list = (below: number) => Array.from(unpackSteps(reader, reader.size(1), 0, below))
  const kept = list(chunks)
  return { before, firstKept, kept, summaryTokens, holds: list(spans), encrypted, asked }
}
