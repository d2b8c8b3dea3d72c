import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { serverWorld } from '../../testing/server-world'
import { LIVE_EVENTS } from '../../view/shell/live'
import { followChanges } from './live-feed'

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
