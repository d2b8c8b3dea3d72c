import { openKnowledge, openRecall } from '../../compose/memory'
import { confidenceAt, type Fact, stateAt } from '../../core/memory/fact'
import type { RankedFact } from '../../core/memory/rank-facts'
import { maskSecrets } from '../../core/redaction/secrets'
import type { Milliseconds } from '../../core/units/units'
import type { KnowledgeBase } from '../../engine/knowledge/knowledge-base'
import type { FoundPiece } from '../../engine/knowledge/recall-library'
import { maskedFact } from '../../view/memory/masked-fact'
import { addedWords } from '../../view/memory/memory'
import { formatQuantity } from '../../view/text/format'
import { absoluteTimeUtc } from '../../view/text/time'
import { policiesFor } from '../choose/chosen-policy'
import { databaseRefusal, setupOrFail } from '../choose/setup-or-fail'
import { CliError, EXIT, type ExitCode, type Io } from '../io'
import { timeJson } from '../print/figure-json'
import { note, write, writeJson } from '../print/output'
import { renderTable } from '../print/table'
import { toTerminal } from '../print/terminal-text'

export const MEMORY_ACTIONS = ['list', 'search', 'add', 'forget'] as const

export type MemoryOptions = {
  readonly action: string
  /** Words to look for, the fact to add, or ids to forget. */
  readonly rest: readonly string[]
  readonly json?: boolean
  readonly policy?: string
  readonly limit: number
  /** `add`: whom it concerns, and what it is about. */
  readonly scope?: string
  readonly tag?: readonly string[]
  /** `search`: facts only, without memory files, cold storage and old sessions. */
  readonly facts?: boolean
}

/** Long-term memory: facts, and everything that can be recalled. */
export async function memory(io: Io, options: MemoryOptions): Promise<ExitCode> {
  const { action, rest } = options
  if (!MEMORY_ACTIONS.some((known) => known === action))
    throw new CliError(
      EXIT.usage,
      `memory knows ${MEMORY_ACTIONS.join(', ')}, not ${JSON.stringify(action)}.`,
    )
  const words = rest.join(' ').trim()
  if (action !== 'list' && words === '') throw new CliError(EXIT.usage, USAGE[action] ?? '')
  if (action === 'list' && words !== '')
    throw new CliError(EXIT.usage, `"list" takes no words. To look for some: memory search ${words}`)
  const notices: string[] = []
  const opened = await openKnowledge(setupOrFail(io), io.env, (notice) => notices.push(notice))
  if (!opened.ok) throw databaseRefusal(opened)
  try {
    return await act(io, options, opened.knowledge, words)
  } finally {
    opened.close()
    for (const notice of notices) await note(io, notice)
  }
}

const USAGE: Readonly<Record<string, string>> = {
  search: 'Say what to look for: plimsoll memory search WORDS',
  add: 'Say what is to be remembered: plimsoll memory add TEXT',
  forget: 'Name the facts: plimsoll memory forget ID... ("memory list" has the ids)',
}

async function act(
  io: Io,
  options: MemoryOptions,
  knowledge: KnowledgeBase,
  words: string,
): Promise<ExitCode> {
  switch (options.action) {
    case 'add':
      return add(io, options, knowledge, words)
    case 'forget': {
      const known = new Set((await knowledge.search('', Number.MAX_SAFE_INTEGER)).map(({ fact }) => fact.id))
      const missing = options.rest.filter((id) => !known.has(id))
      if (missing.length > 0)
        throw new CliError(EXIT.usage, `No fact is called ${missing.join(', ')}; nothing was forgotten.`)
      const forgotten = await knowledge.forget(options.rest)
      const facts = forgotten.map(maskedFact)
      if (options.json)
        await writeJson(io, {
          forgotten: facts.length,
          ids: options.rest,
          facts: facts.map(({ id, content, scope, tags }) => ({ id, content, scope, tags })),
        })
      else await write(io.stdout, forgottenText(facts))
      return EXIT.done
    }
    default:
      return show(io, options, knowledge, words)
  }
}

/** With the words, from which it can be added again: there is no other way back. */
function forgottenText(facts: readonly Fact[]): string {
  const lines = facts.map(({ content }) => `  ${toTerminal(content)}\n`)
  return `${formatQuantity(facts.length, 'fact')} forgotten for good; "memory add" takes it again:\n${lines.join('')}`
}

async function add(
  io: Io,
  options: MemoryOptions,
  knowledge: KnowledgeBase,
  words: string,
): Promise<ExitCode> {
  const { scope = null, tag = [] } = options
  const done = await knowledge.add(words, { source: 'operator', tags: tag, scope })
  if (!done.ok) throw new CliError(EXIT.usage, done.problem)
  const { added, confirmed, contradicted } = done.learned
  const [fact] = [...added, ...confirmed]
  if (options.json) {
    await writeJson(io, {
      id: fact?.id ?? null,
      isNew: added.length > 0,
      replaced: contradicted.map(({ id }) => id),
    })
    return EXIT.done
  }
  const what = addedWords({ isNew: added.length > 0, name: fact?.id ?? '?' })
  const instead = contradicted.map(
    ({ id, content }) => `It takes the place of ${id}: ${toTerminal(maskSecrets(content))}\n`,
  )
  await write(io.stdout, `${what}\n${instead.join('')}`)
  return EXIT.done
}

async function show(
  io: Io,
  options: MemoryOptions,
  knowledge: KnowledgeBase,
  words: string,
): Promise<ExitCode> {
  const now = Date.now()
  const found = await knowledge.search(words, options.limit)
  const recalled = words === '' || options.facts ? null : await recall(io, options, words)
  if (options.json) {
    await writeJson(io, {
      store: knowledge.name,
      ...(words === '' ? {} : { query: words }),
      facts: found.map((one) => factJson(one, now)),
      ...(recalled === null
        ? {}
        : {
            searched: { sources: recalled.sources, pieces: recalled.searched },
            recalled: recalled.pieces.map(pieceJson),
          }),
    })
    return EXIT.done
  }
  await write(io.stdout, factsText(found, now, words, knowledge.name))
  if (recalled !== null) await write(io.stdout, piecesText(recalled))
  return EXIT.done
}

async function recall(io: Io, { policy: chosen, limit }: MemoryOptions, words: string) {
  const library = await openRecall(setupOrFail(io), io.env, await policiesFor(io, { policy: chosen }))
  const { problems, notes, sources, pieces } = await library.sync()
  for (const problem of [...problems, ...notes]) await note(io, problem)
  return { pieces: library.search(words, limit), searched: pieces, sources }
}

function factJson({ fact, rank }: RankedFact, now: Milliseconds) {
  const { at, confirmedAt, ...rest } = maskedFact(fact)
  return {
    ...rest,
    state: stateAt(fact, now),
    confidenceNow: confidenceAt(fact, now),
    rank,
    at: timeJson(at),
    confirmedAt: timeJson(confirmedAt),
  }
}

function pieceJson({ source, origin, line, score, text }: FoundPiece) {
  return { source, origin, line: origin === 'memory' ? line : null, score, text: maskSecrets(text) }
}

function factsText(found: readonly RankedFact[], now: Milliseconds, words: string, store: string): string {
  if (found.length === 0)
    return words === '' ? `No facts are kept (${store}).\n` : `No fact speaks of ${JSON.stringify(words)}.\n`
  const shown = found.map(({ fact }) => ({ fact: maskedFact(fact) }))
  return renderTable(shown, [
    { title: 'ID', cell: ({ fact }) => fact.id, max: 24 },
    { title: 'FACT', cell: ({ fact }) => fact.content, max: 80 },
    { title: 'SURE', align: 'right', cell: ({ fact }) => `${Math.round(confidenceAt(fact, now) * 100)} %` },
    { title: 'STATE', cell: ({ fact }) => stateAt(fact, now) },
    { title: 'SOURCE', cell: ({ fact }) => fact.source, max: 24 },
    { title: 'SCOPE', cell: ({ fact }) => fact.scope ?? 'all', max: 24 },
    { title: 'CONFIRMED (UTC)', cell: ({ fact }) => absoluteTimeUtc(fact.confirmedAt) },
  ])
}

function piecesText({ pieces, searched, sources }: Awaited<ReturnType<typeof recall>>): string {
  const where = `${formatQuantity(searched, 'piece')} of ${formatQuantity(sources, 'source')}`
  if (pieces.length === 0) return `\nNothing in memory files, cold storage or old sessions (${where}).\n`
  const table = renderTable(pieces, [
    { title: 'SCORE', align: 'right', cell: ({ score }) => score.toFixed(2) },
    {
      title: 'SOURCE',
      cell: ({ source, origin, line }) => (origin === 'memory' ? `${source}:${line}` : source),
      max: 50,
    },
    { title: 'TEXT', cell: ({ text }) => maskSecrets(text).replace(/\s+/g, ' '), max: 90 },
  ])
  return `\nIn memory files, cold storage and old sessions (${where}):\n${table}`
}
