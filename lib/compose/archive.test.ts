import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openConnection } from '../db/open-connection'
import { surveyArchive } from '../engine/archive/survey-archive'
import { oneAnswer } from '../testing/builders/one-answer'
import { runCli } from '../testing/run-cli'
import { temporaryFolder, writeFiles } from '../testing/store-folder'
import { archiveOf } from './archive'

function world(settings: string) {
  const home = temporaryFolder()
  const state = join(home, 'state')
  writeFiles(home, {
    'store/anchor.jsonl': oneAnswer('anchor', 'Where is the barnacle?'),
    'store/beacon.jsonl': oneAnswer('beacon', 'Is the light on?'),
    'plimsoll.yaml': settings,
  })
  const env = {
    HOME: home,
    PLIMSOLL_HOME: state,
    PLIMSOLL_STORES: join(home, 'store'),
    PLIMSOLL_CONFIG: join(home, 'plimsoll.yaml'),
  }
  const cli = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli([...args, '--json'], {
      env,
      cwd: home,
      stop: new AbortController().signal,
    })
    if (code !== 0) throw new Error(`${code} ${stderr}`)
    return JSON.parse(stdout)
  }
  const rows = () => {
    const connection = openConnection(join(state, 'plimsoll.db'))
    try {
      const { rows } = connection.run(
        'SELECT "sessionId", "state", "entries", "stamp" FROM "Session" ORDER BY "sessionId"',
      )
      return rows.map(([id, state, entries, stamp]) => ({ id, state, entries, isDone: stamp !== null }))
    } finally {
      connection.close()
    }
  }
  return { home, state, env, cli, rows }
}

describe('an import with the archive', () => {
  it('keeps what the runtime deletes: in the database, in lists, and in a database that is made anew', async () => {
    const { home, state, cli, rows } = world('archive: { enabled: true }')
    expect((await cli('ingest')).archived).toMatchObject({ copied: 2, problems: [] })
    expect((await cli('ingest')).archived).toMatchObject({ copied: 0 })
    const before = await cli('context', 'anchor')
    rmSync(join(home, 'store', 'anchor.jsonl'))
    appendFileSync(join(home, 'store', 'beacon.jsonl'), '')
    expect((await cli('ingest')).archived.gone).toHaveLength(1)
    const { sessions } = await cli('sessions')
    expect(sessions.map(({ id, state }: { id: string; state: string }) => [id, state])).toEqual(
      expect.arrayContaining([
        ['anchor', 'gone'],
        ['beacon', 'live'],
      ]),
    )
    expect(await cli('context', 'anchor')).toEqual(before)
    await cli('ingest')
    const settled = [
      { id: 'anchor', state: 'gone', entries: 4, isDone: true },
      { id: 'beacon', state: 'live', entries: 4, isDone: true },
    ]
    expect(rows()).toEqual(settled)
    expect(await cli('ingest')).toMatchObject({ sessionsChanged: 0 })
    for (const name of ['', '-wal', '-shm']) rmSync(join(state, `plimsoll.db${name}`), { force: true })
    await cli('ingest')
    expect(rows()).toEqual(settled)
  })

  it('copies what changes while the stores are watched, and notes what goes', {
    timeout: 180_000,
  }, async () => {
    const { home, state, env } = world('archive: { enabled: true }')
    const stop = new AbortController()
    const watching = runCli(['ingest', '--watch'], { env, cwd: home, stop: stop.signal })
    const folder = archiveOf({ home: state })
    const kept = async () => {
      const survey = await surveyArchive(folder)
      return survey.transcripts.map(({ newest, goneAt }) => [newest.sessionId, goneAt !== null]).sort()
    }
    const soon = { timeout: 60_000, interval: 200 }
    try {
      await expect.poll(kept, soon).toEqual([
        ['anchor', false],
        ['beacon', false],
      ])
      writeFiles(home, { 'store/capstan.jsonl': oneAnswer('capstan', 'Heave.') })
      rmSync(join(home, 'store', 'anchor.jsonl'))
      await expect.poll(kept, soon).toEqual([
        ['anchor', true],
        ['beacon', false],
        ['capstan', false],
      ])
    } finally {
      stop.abort()
      await watching
    }
  })

  it('copies nothing while it is switched off', async () => {
    const { home, cli, rows } = world('{}')
    expect((await cli('ingest')).archived).toBeNull()
    rmSync(join(home, 'store', 'anchor.jsonl'))
    await cli('ingest')
    expect(rows()[0]).toMatchObject({ id: 'anchor', state: 'gone', entries: 4 })
    expect((await cli('sessions')).sessions).toHaveLength(1)
  })
})
