import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { TranscriptBuilder } from '../builders/transcript'
import { runCli } from '../run-cli'
import { makeOpenClawHome, OPENCLAW_DATABASE, type OpenClawHome } from './openclaw-home'

const ID = '070e4043-a33e-4772-bf47-88b89b8500ab'
const TURNS = 10

let homes: OpenClawHome[] = []
let sound: readonly string[] = []

beforeAll(() => {
  const transcript = new TranscriptBuilder({ version: 3, id: ID })
  for (let i = 0; i < TURNS; i++) {
    transcript.user(`Please do part ${i}.`)
    transcript.assistant('', { calls: [`call${i}`] })
    transcript.result(`call${i}`, `part ${i}`)
    transcript.assistant(`Part ${i} is done.`)
  }
  sound = transcript.lines
})
afterEach(() => {
  for (const home of homes) home.remove()
  homes = []
})

/** A store of the time of files with this transcript. */
function legacyStore(text: string): { home: OpenClawHome; file: string } {
  const home = makeOpenClawHome('http://127.0.0.1:1/v1', 18_776, OPENCLAW_DATABASE)
  homes.push(home)
  const sessions = join(home.state, 'agents/main/sessions')
  mkdirSync(sessions, { recursive: true })
  const file = join(sessions, `${ID}.jsonl`)
  writeFileSync(file, text)
  const entry = { sessionId: ID, sessionFile: file, updatedAt: Date.now() }
  writeFileSync(join(sessions, 'sessions.json'), JSON.stringify({ 'agent:main:main': entry }))
  return { home, file }
}

/** Lets the client move the store into its database; answers what it complains of, and the ids of what it kept. */
async function imported({ home }: { home: OpenClawHome }): Promise<{ issues: string[]; ids: string[] }> {
  const run = home.run('doctor', '--session-sqlite', 'import', '--session-sqlite-all-agents', '--json')
  const { output } = await run.ended
  const said = JSON.parse(output.slice(output.indexOf('{')))
  const issues = said.targets.flatMap((target: { issues: { code: string }[] }) =>
    target.issues.map(({ code }) => code),
  )
  const database = new Database(join(home.state, 'agents/main/agent/openclaw-agent.sqlite'))
  const rows = database
    .prepare(`SELECT json_extract(event_json, '$.id') AS id FROM transcript_events ORDER BY seq`)
    .all() as { id: string }[]
  database.close()
  return { issues, ids: rows.map(({ id }) => id) }
}

async function plimsoll(home: OpenClawHome, ...argv: string[]) {
  const { stdout } = await runCli([...argv, '--json'], {
    env: { HOME: home.home, PLIMSOLL_HOME: join(home.home, 'plimsoll') },
  })
  return JSON.parse(stdout)
}

const idsOf = (lines: readonly string[]) => lines.map((line) => JSON.parse(line).id as string)
const cut = (line: string | undefined) => (line ?? '').slice(0, 40)

describe(`a legacy transcript on its way into the database of OpenClaw ${OPENCLAW_DATABASE.version}`, () => {
  it.each([
    ['a line that is cut off', (lines: readonly string[]) => lines.with(9, cut(lines[9]))],
    ['a torn tail', (lines: readonly string[]) => [...lines, cut(lines[9])]],
    [
      'two lines on one, zeros, and all of that',
      (lines: readonly string[]) => [
        ...lines.with(25, cut(lines[25])).toSpliced(9, 2, `${lines[9]}${lines[10]}`, '\0'.repeat(512)),
        cut(lines[9]),
      ],
    ],
  ])('%s: lost without our repair what we say, kept with it', async (_, damage) => {
    const text = damage(sound).join('\n')
    const asItIs = legacyStore(text)
    const check = await plimsoll(asItIs.home, 'repair', asItIs.file, '--check')
    const without = await imported(asItIs)
    const repaired = legacyStore(text)
    expect(await plimsoll(repaired.home, 'repair', repaired.file, '--apply')).toMatchObject({
      verified: true,
    })
    const lines = readFileSync(repaired.file, 'utf8').trimEnd().split('\n')
    const withRepair = await imported(repaired)
    console.info(
      `${without.ids.length} of ${check.entries.before} entries without a repair, ${withRepair.ids.length} with it`,
    )
    expect(without.ids.length, 'as many as the check says').toBe(check.importable)
    expect(without.issues).toContain('transcript_malformed')
    expect(withRepair.issues).toEqual([])
    expect(withRepair.ids, 'every line of the repaired file').toEqual(idsOf(lines))
    const whole = idsOf(sound).filter((id) => text.includes(`"id":"${id}"`) && entryIsWhole(text, id))
    expect(withRepair.ids, 'every entry that could be read').toEqual(expect.arrayContaining(whole))
  })
})

/** Whether the line of an entry is whole in a text. */
function entryIsWhole(text: string, id: string): boolean {
  return text.includes(sound.find((line) => JSON.parse(line).id === id) ?? ' ')
}
