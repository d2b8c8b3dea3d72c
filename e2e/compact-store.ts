import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sessionPage } from './ask'
import { dashboard } from './world'

/** A long session that can be compacted, of this test alone. */
export type CompactStore = {
  readonly url: string
  readonly file: string
  /** Id of the session. */
  readonly id: string
  /** Address of the session's pages. */
  session(): Promise<string>
  text(): string
  /** Hashes of every file of the store, of the backups and of the receipts. */
  hashes(): Record<string, string>
  write(name: string, text: string): void
  /** Writes what an agent remembers of its sessions. */
  remember(name: string, text: string): void
  remove(name: string): void
}

let sessions = 0

export const test = dashboard({
  name: 'compact',
  write: (folder) => {
    for (const name of ['sessions', 'memory']) mkdirSync(join(folder, name))
    writeFileSync(join(folder, 'plimsoll.json'), JSON.stringify({ agentMemory: ['memory'] }))
    return { PLIMSOLL_STORES: join(folder, 'sessions'), PLIMSOLL_CONFIG: join(folder, 'plimsoll.json') }
  },
  view: async ({ url, folder }): Promise<CompactStore> => {
    const root = join(folder, 'sessions')
    const id = `voyage-${++sessions}`
    const file = join(root, `${id}.jsonl`)
    writeFileSync(file, transcript(id))
    const session = await sessionPage(url, ({ title }) => title.includes(`of the ${id}`))
    return {
      url,
      file,
      id,
      session: async () => session,
      text: () => readFileSync(file, 'utf8'),
      hashes: () =>
        Object.fromEntries(
          [root, join(folder, 'state', 'backups'), join(folder, 'state', 'receipts')].flatMap(hashesIn),
        ),
      remember: (name, text) => writeFileSync(join(folder, 'memory', name), text),
      write: (name, text) => writeFileSync(join(root, name), text),
      remove: (name) => rmSync(join(root, name), { force: true }),
    }
  },
})

/** Forty turns, each with a file that was read: about 60,000 tokens, of which the last were reported. */
function transcript(session: string): string {
  const lines: object[] = [
    { type: 'session', version: 3, id: session, timestamp: '2026-11-01T08:00:00.000Z', cwd: '/w' },
  ]
  let parentId: string | null = null
  const add = (id: string, message: object) => {
    const timestamp = new Date(Date.parse('2026-11-01T08:00:00.000Z') + lines.length * 1000).toISOString()
    lines.push({ type: 'message', id, parentId, timestamp, message })
    parentId = id
  }
  for (let turn = 0; turn < 40; turn++) {
    const path = `harbour/berth-${turn}.csv`
    const input = 2_000 + turn * 1_500
    const usage = {
      input,
      output: 60,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: input + 60,
      cost: { total: 0.01 },
    }
    const answer = { role: 'assistant', provider: 'anthropic', model: 'claude-sonnet-4-5', usage }
    add(`u${turn}`, {
      role: 'user',
      content: `Please check ${path} for the draught of ship ${turn}${turn === 0 ? ` of the ${session}` : ''}.`,
    })
    add(`c${turn}`, {
      ...answer,
      content: [{ type: 'toolCall', id: `t${turn}`, name: 'read', arguments: { path } }],
      stopReason: 'toolUse',
    })
    add(`r${turn}`, {
      role: 'toolResult',
      toolCallId: `t${turn}`,
      toolName: 'read',
      content: [
        {
          type: 'text',
          text: `row ${turn} of the tide table holds a draught of 4.${turn} metres. `.repeat(90),
        },
      ],
    })
    add(`a${turn}`, {
      ...answer,
      content: [{ type: 'text', text: `Ship ${turn} lies 4.${turn} metres deep.` }],
      stopReason: 'stop',
    })
  }
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`
}

function hashesIn(folder: string): [string, string][] {
  let names: string[]
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  } catch {
    return []
  }
  return names.sort().flatMap((name): [string, string][] => {
    try {
      return [
        [
          join(folder, name),
          createHash('sha256')
            .update(readFileSync(join(folder, name)))
            .digest('hex'),
        ],
      ]
    } catch {
      return [[join(folder, name), 'folder']]
    }
  })
}
