import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { serverWorld } from '../../testing/server-world'
import { LIVE_EVENTS, type LiveMessage } from '../../view/shell/live'
import { getDatabase } from './database'
import { followChanges } from './live-feed'

/** Makes so many of the next readings of what changed fail, as those of a database that is busy do. */
async function busyDatabase(): Promise<{ readings: number }> {
  const busy = { readings: 0 }
  const { connection } = await getDatabase()
  const run = connection.run.bind(connection)
  vi.spyOn(connection, 'run').mockImplementation((sql, args) => {
    if (busy.readings === 0 || !sql.includes('"Session" WHERE "revision" > ?')) return run(sql, args)
    busy.readings -= 1
    throw new Error('database is locked')
  })
  return busy
}

function transcript(id: string): string {
  const session = new TranscriptBuilder({ id })
  session.user('Which berth is free?')
  session.assistant('Berth 4.')
  return session.text()
}

const world = serverWorld(() => ({ [join('store', 'first.jsonl')]: transcript('first') }))

it('X3 a line that has broken off keeps no change from the others, and hears no more', async () => {
  let [broken, heard] = [0, 0]
  const ends = [
    await followChanges((event) => {
      if (event !== LIVE_EVENTS.change) return
      broken += 1
      throw new TypeError('The line is closed')
    }),
    await followChanges((event) => {
      if (event === LIVE_EVENTS.change) heard += 1
    }),
  ]
  try {
    for (const name of ['second', 'third']) {
      const before = heard
      writeFileSync(join(world.folder, 'store', `${name}.jsonl`), transcript(name))
      await world.ingest()
      await expect.poll(() => heard).toBeGreaterThan(before)
    }
    expect(broken).toBe(1)
  } finally {
    for (const end of ends) end()
  }
})

it('X3 a change that could not be read is heard of with the next check, and so are other policies', async () => {
  const busy = await busyDatabase()
  const heard: LiveMessage[] = []
  const end = await followChanges((event, data) => {
    if (event === LIVE_EVENTS.change) heard.push(JSON.parse(data))
  })
  try {
    busy.readings = 1
    writeFileSync(join(world.folder, 'store', 'fourth.jsonl'), transcript('fourth'))
    await world.ingest()
    await expect.poll(() => busy.readings).toBe(0)
    await expect.poll(() => heard.flatMap(({ sessions }) => sessions)).toHaveLength(1)

    busy.readings = 1
    heard.length = 0
    const folder = join(world.folder, '.config', 'plimsoll')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'plimsoll.yaml'), 'context: { reserveTokens: 12345 }\n', { mode: 0o600 })
    await expect.poll(() => busy.readings, { timeout: 15_000 }).toBe(0)
    await expect.poll(() => heard.some(({ all }) => all)).toBe(true)
  } finally {
    end()
  }
})
