import type { CompactionPlan } from '../../core/compaction/plan'
import { indexAfterCompaction, recordLine } from '../../core/compaction/record'
import { ROOT } from '../../core/transcript/branches'
import { entersContext } from '../../core/transcript/context'
import { isObject, parseObject } from '../../core/transcript/json'
import type { WrittenSummary } from '../summary/write-summary'
import { contextLines } from '../write/context-lines'
import { readFileState } from '../write/file-state'
import type { FileOperation } from '../write/write-requests'
import type { CompactionPorts, CompactionRequest, LoadedSession } from './compaction-ports'

/** An index larger than this is left alone; the runtime keeps it in step itself. Bytes. */
const MAX_INDEX = 256 * 1024 * 1024

type Outcome = {
  readonly plan: CompactionPlan
  readonly summary: WrittenSummary
  readonly ledger: { readonly modified: readonly string[]; readonly read: readonly string[] }
}

/**
 * What a compaction writes: its record at the end of the transcript, verified by building the context anew, and the
 * session's entry in the index, where there is one.
 */
export async function compactionOperations(
  ports: CompactionPorts,
  request: CompactionRequest,
  loaded: LoadedSession,
  { plan, summary, ledger }: Outcome,
): Promise<{ readonly operations: readonly FileOperation[]; readonly recordId: string }> {
  const { writer, decode } = ports
  const { branches, session, path } = loaded.source
  const at = writer.clock.now()
  const firstKept = path.find(({ fact }) => fact.id === plan.firstKeptEntryId)?.fact.seq ?? 0
  const taken = new Set(session.facts.map(({ id }) => id))
  const recordId = ports.newEntryId((id) => taken.has(id))
  const leaf = branches.leaf === ROOT ? null : branches.facts[branches.leaf]
  const line = recordLine(branches, session.facts[0]?.header?.version ?? 1, {
    id: recordId,
    parentId: leaf?.id ?? null,
    at,
    summary: summary.text,
    firstKeptSeq: firstKept,
    tokensBefore: plan.recordTokensBefore,
    readFiles: ledger.read,
    modifiedFiles: ledger.modified,
  })
  const file = await writer.files.realPath(request.transcript.path)
  const kept = keptLines(loaded, plan)
  const record: FileOperation = {
    op: 'append',
    file,
    expected: loaded.expected,
    bytes: new TextEncoder().encode(`${line}\n`),
    verify: async (read) => {
      const { branches: now, lines } = await contextLines(read(), decode, request.store.kind)
      const [first, ...rest] = lines
      const isOurs = now.facts.find((fact) => fact?.line === first)?.type === 'compaction'
      if (!isOurs || rest.length !== kept.length || rest.some((at, i) => at !== kept[i]))
        return 'the context after the compaction would not be the one that was planned'
      return null
    },
  }
  const index = await indexOperation(ports, request, at, plan)
  return { operations: index === null ? [record] : [record, index], recordId }
}

/** Lines of the entries that stay in the context, those that came after the plan included. */
function keptLines({ source }: LoadedSession, plan: CompactionPlan): number[] {
  const from = source.path.findIndex(({ fact }) => fact.id === plan.firstKeptEntryId)
  return source.path
    .slice(from)
    .filter(({ fact }) => entersContext(fact))
    .map(({ fact }) => fact.line)
}

/** The index that names a session, links followed; null where there is none. */
export async function indexPath(
  { files }: Pick<CompactionPorts['writer'], 'files'>,
  { store, transcript }: Pick<CompactionRequest, 'store' | 'transcript'>,
): Promise<string | null> {
  if (store.kind !== 'openclaw' || transcript.key === null) return null
  const path = files.join(files.folderOf(await files.realPath(transcript.path)), 'sessions.json')
  return (await files.stat(path)) === null ? null : files.realPath(path)
}

/** The session's entry in `sessions.json`, brought up to date; null where there is none. */
async function indexOperation(
  { writer, decode }: CompactionPorts,
  { store, transcript }: CompactionRequest,
  at: number,
  plan: CompactionPlan,
): Promise<FileOperation | null> {
  const { key } = transcript
  const path = await indexPath(writer, { store, transcript })
  if (path === null || key === null) return null
  const expected = await readFileState(writer, path)
  if (expected === null || expected.size > MAX_INDEX) return null
  const text = await readText(writer.files.read(path), decode)
  const index = parseObject(text)
  const entry = index?.[key]
  if (index === null || !isObject(entry) || entry.sessionId !== transcript.sessionId) return null
  const changed = { ...index, [key]: indexAfterCompaction(entry, at, plan.tokensAfter.value) }
  const bytes = new TextEncoder().encode(JSON.stringify(changed, null, indentOf(text)))
  return {
    op: 'replace',
    file: path,
    expected,
    produce: async function* () {
      yield bytes
    },
  }
}

async function readText(
  bytes: AsyncIterable<Uint8Array>,
  decode: CompactionPorts['decode'],
): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of bytes) {
    parts.push(part.slice())
    size += part.length
  }
  const all = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return decode(all)
}

/** Spaces by which the file is indented; 0 when it is on one line. */
function indentOf(text: string): number {
  return /^\{\r?\n( +)"/.exec(text)?.[1]?.length ?? 0
}
