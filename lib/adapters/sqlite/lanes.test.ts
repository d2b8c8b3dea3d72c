import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../testing/store-folder'
import type { DriverProcess } from './driver-process'
import { laneOf } from './lanes'

/** The processes that are given to as many stores, one after the other. */
async function processesOf(stores: number): Promise<DriverProcess[]> {
  const folder = temporaryFolder()
  const given: DriverProcess[] = []
  for (let store = 0; store < stores; store++)
    given.push(await laneOf(join(folder, String(store), 'a.sqlite')).run(async (process) => process))
  return given
}

describe('processes that read databases', () => {
  it('are handed on from store to store, once as many rest as may', async () => {
    const given = await processesOf(10)
    expect(new Set(given).size).toBeLessThanOrEqual(4)
    expect(given.every((process) => process.isUsable)).toBe(true)
    // Whoever asks again gets one, its own or another.
    expect((await processesOf(1)).every((process) => process.isUsable)).toBe(true)
  })

  it('are not handed on while they are at work, hold a copy, or have ended', async () => {
    const folder = temporaryFolder()
    let release = () => {}
    const waits = new Promise<void>((resolve) => {
      release = resolve
    })
    let began = (_: DriverProcess) => {}
    const busy = new Promise<DriverProcess>((resolve) => {
      began = resolve
    })
    const work = laneOf(join(folder, 'busy', 'a.sqlite')).run(async (process) => {
      began(process)
      await waits
    })
    const holding = await laneOf(join(folder, 'copy', 'a.sqlite')).run(async (process) => {
      await process.ask({ kind: 'open', name: ':memory:', copy: 'state of a file' })
      await process.ask({ kind: 'close' })
      return process
    })
    const ended = await laneOf(join(folder, 'ended', 'a.sqlite')).run(async (process) => process)
    ended.end()
    const given = await processesOf(10)
    expect([await busy, holding, ended].filter((process) => given.includes(process))).toEqual([])
    release()
    await work
  })
})
