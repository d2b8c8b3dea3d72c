import { describe, expect, it } from 'vitest'
import { type Fate, failingFiles, Killed } from '../testing/failing-files'
import { MemoryDisk } from '../testing/memory-disk'
import { testWriter } from '../testing/test-writer'
import { type Contents, WRITE_SCENARIOS, type WriteScenario } from '../testing/write-scenarios'
import { settleWrites } from './settle-writes'
import type { WriteFiles } from './write-ports'

const FOLDER = '/store/agents/main/sessions'

async function diskOf(scenario: WriteScenario): Promise<MemoryDisk> {
  const disk = new MemoryDisk()
  await disk.makeFolder(FOLDER)
  for (const [path, text] of Object.entries(scenario.start)) if (text !== null) await disk.put(path, text)
  await scenario.prepare?.(testWriter(disk))
  return disk
}

/** Runs the write until the process ends. Answers whether it did, and the calls up to then. */
async function runUntil(files: WriteFiles, scenario: WriteScenario, fate: Fate | null) {
  const failing = failingFiles(files, fate)
  try {
    await scenario.run(testWriter(failing.files))
  } catch (error) {
    if (!(error instanceof Killed)) throw error
  }
  return failing
}

function contentsOf(disk: MemoryDisk, like: Contents): Contents {
  return Object.fromEntries(Object.keys(like).map((path) => [path, disk.text(path)]))
}

/** What must hold once the next process has looked at what the crash left. */
async function expectWhole(disk: MemoryDisk, scenario: WriteScenario): Promise<'old' | 'new'> {
  const writer = testWriter(disk)
  const report = await settleWrites(writer)
  expect(report.waiting).toEqual([])
  expect(await writer.receipts.open()).toEqual([])
  const now = contentsOf(disk, scenario.before)
  const isNew = JSON.stringify(now) === JSON.stringify(scenario.after)
  if (!isNew) expect(now).toEqual(scenario.before)
  const left = (await disk.list(FOLDER)).map((name) => disk.join(FOLDER, name))
  expect(left.filter((path) => !(path in scenario.before))).toEqual([])
  await expectTruth(disk, scenario, isNew)
  return isNew ? 'new' : 'old'
}

/** The newest receipt tells what happened, if the write came as far as to have one. */
async function expectTruth(disk: MemoryDisk, scenario: WriteScenario, isNew: boolean): Promise<void> {
  const { receipts } = testWriter(disk)
  const ids = await receipts.ids()
  const known = scenario.prepare === undefined ? 0 : 1
  const newest = ids.length > known ? await receipts.get(ids[0] ?? '') : null
  if (isNew) {
    expect(newest).toMatchObject({ state: 'done', verified: true, problem: null })
    if (newest?.undoes) {
      expect(await receipts.get(newest.undoes)).toMatchObject({ state: 'undone', undoneBy: newest.id })
    }
  } else if (newest !== null) {
    expect(newest).toMatchObject({
      state: 'failed',
      verified: false,
      problem: expect.stringContaining('interrupted'),
    })
  }
}

let kills = 0

describe('a write whose process ends at any system call', () => {
  for (const scenario of WRITE_SCENARIOS) {
    it(`${scenario.name}: every file is the old or the new one`, async () => {
      const { calls } = await runUntil(await diskOf(scenario), scenario, null)
      const outcomes = { old: 0, new: 0 }
      for (const kind of ['before', 'half', 'after'] as const) {
        for (let at = 0; at < calls.length; at++) {
          const disk = await diskOf(scenario)
          const { killed } = await runUntil(disk, scenario, { at, kind })
          expect(killed(), `${calls[at]} (${kind})`).toBe(true)
          kills++
          outcomes[await expectWhole(disk, scenario)]++
        }
      }
      expect(outcomes.old).toBeGreaterThan(20)
      expect(outcomes.new).toBeGreaterThan(5)
    })
  }

  it('was tried at more than 500 places', () => {
    console.info(`${kills} kills, 0 losses`)
    expect(kills).toBeGreaterThan(500)
  })
})
