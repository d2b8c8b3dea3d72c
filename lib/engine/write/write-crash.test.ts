import { describe, expect, it } from 'vitest'
import { checkAuditLog } from '../../adapters/write/check-audit-log'
import { seededRandom } from '../../demo/random'
import { type DiskLeftBehind, disksLeftBehind } from '../../testing/disks-left-behind'
import { endsOf, failingFiles, type InjectedFault, Killed } from '../../testing/failing-files'
import type { MemoryDisk } from '../../testing/memory-disk'
import { TEST_PROVER, testWriter } from '../../testing/test-writer'
import {
  type Contents,
  diskOf,
  PREPARED_AT,
  TRANSCRIPT,
  WRITE_SCENARIOS,
  type WriteScenario,
} from '../../testing/write-scenarios'
import { recoverWrites } from './recover-writes'
import type { WriteFiles } from './write-ports'

const FOLDER = '/store/agents/main/sessions'
/** Writers whose times and names are always the same leave the same disk behind whenever they end at the same place. */
const AT = { now: () => PREPARED_AT + 1000 }
const WRITES = { ...AT, countFrom: 1000 }
const LOOKS = { ...AT, countFrom: 2000 }
const RECOVERS = { ...AT, countFrom: 3000 }

/** Runs the write until the process ends. Answers whether it did, and the calls up to then. */
async function runUntil(files: WriteFiles, scenario: WriteScenario, fault: InjectedFault | null) {
  const failing = failingFiles(files, fault)
  try {
    await scenario.run(testWriter(failing.files, WRITES))
  } catch (error) {
    if (!(error instanceof Killed)) throw error
  }
  return failing
}

function contentsOf(disk: MemoryDisk, like: Contents): Contents {
  return Object.fromEntries(Object.keys(like).map((path) => [path, disk.text(path)]))
}

const outcomes = new Map<string, Promise<'old' | 'new'>>()

/**
 * What must hold once the next process has looked at what the crash left. Many crashes leave one and the same disk behind,
 * as those before and after a flush do: the next process finds and does the same on it, and does so once.
 */
function expectWhole(disk: MemoryDisk, scenario: WriteScenario): Promise<'old' | 'new'> {
  const key = `${scenario.name} ${disk.state()}`
  const outcome = outcomes.get(key) ?? expectWholeAt(disk, scenario)
  outcomes.set(key, outcome)
  return outcome
}

async function expectWholeAt(disk: MemoryDisk, scenario: WriteScenario): Promise<'old' | 'new'> {
  const writer = testWriter(disk, LOOKS)
  const { waiting, leftAlone } = await recoverWrites(writer)
  const open = await writer.receipts.open()
  expect({ waiting, leftAlone, open }).toEqual({ waiting: [], leftAlone: [], open: [] })
  const log = await checkAuditLog({ files: disk, prover: TEST_PROVER }, '/home/logs')
  expect(log, JSON.stringify(log)).toMatchObject({ ok: true, broken: null, problems: [] })
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

/** Before a file is recovered it may have grown by a part of what is being added, and nothing else. */
function expectEachWhole(disk: MemoryDisk, { name, before, after }: WriteScenario): void {
  for (const path of Object.keys(before)) {
    const now = disk.text(path)
    if (now === before[path] || now === after[path]) continue
    expect(name).toMatch(/^append/)
    expect(after[path]?.startsWith(now ?? '-')).toBe(true)
    expect(now?.startsWith(before[path] ?? '-')).toBe(true)
  }
}

const crashes = new Map<WriteScenario, Promise<readonly DiskLeftBehind[]>>()

/** The write of a scenario, ended at each of its system calls that changes something. */
function crashesOf(scenario: WriteScenario): Promise<readonly DiskLeftBehind[]> {
  const known = crashes.get(scenario) ?? crashEverywhere(scenario)
  crashes.set(scenario, known)
  return known
}

async function crashEverywhere(scenario: WriteScenario): Promise<readonly DiskLeftBehind[]> {
  const { calls } = await runUntil(await diskOf(scenario), scenario, null)
  const left = await disksLeftBehind(await diskOf(scenario), (files) =>
    scenario.run(testWriter(files, WRITES)),
  )
  expect(left.map(({ end }) => end)).toEqual(endsOf(calls))
  return left
}

/** What a crash left, and was being recovered when that process ended as well. */
function crashesOfRecovery({ disk }: DiskLeftBehind): Promise<readonly DiskLeftBehind[]> {
  return disksLeftBehind(disk.copy(), (files) => recoverWrites(testWriter(files, RECOVERS)))
}

let kills = 0

describe('a write whose process ends at any system call', () => {
  for (const scenario of WRITE_SCENARIOS) {
    it(`M9 ${scenario.name}: every file, the index too, is the old or the new one`, async () => {
      const outcomes = { old: 0, new: 0 }
      for (const crash of await crashesOf(scenario)) {
        kills++
        const disk = crash.disk.copy()
        expectEachWhole(disk, scenario)
        outcomes[await expectWhole(disk, scenario)]++
      }
      expect(outcomes.old).toBeGreaterThan(20)
      expect(outcomes.new).toBeGreaterThan(5)
    })

    it(`${scenario.name}: the same when the power fails, and only what was flushed is sure`, async () => {
      let seed = 1
      for (const crash of await crashesOf(scenario)) {
        // With this luck and with that.
        for (let luck = 0; luck < 2; luck++) {
          const disk = crash.disk.copy()
          disk.losePower(seededRandom(seed++).next)
          kills++
          await expectWhole(disk, scenario)
        }
      }
    })

    it(`${scenario.name}: the same when the recovery is interrupted, too`, async () => {
      // Every place would be a square of them.
      for (const crash of (await crashesOf(scenario)).filter((_, i) => i % 16 === 0)) {
        for (const { disk } of await crashesOfRecovery(crash)) {
          kills++
          await expectWhole(disk, scenario)
        }
      }
    })
  }

  it('a process that is ended leaves what was there at that moment', async () => {
    for (const scenario of WRITE_SCENARIOS) {
      const recovered: DiskLeftBehind[] = []
      for (const [at, crash] of (await crashesOf(scenario)).entries()) {
        if (at % 16 !== 0) continue
        const disk = await diskOf(scenario)
        const { killed } = await runUntil(disk, scenario, crash.end)
        expect(killed(), crash.call).toBe(true)
        expect(disk.state()).toBe(crash.disk.state())
        const again = (await crashesOfRecovery(crash)).at(-2)
        if (again === undefined) continue
        const recovery = failingFiles(disk, again.end)
        await recoverWrites(testWriter(recovery.files, RECOVERS)).catch(() => undefined)
        expect(recovery.killed(), again.call).toBe(true)
        expect(disk.state()).toBe(again.disk.state())
        recovered.push(again)
      }
      expect(recovered.length).toBeGreaterThan(1)
    }
  })

  it('keeps what another process added after the crash', async () => {
    const theirs = '{"type":"custom","id":"t"}\n'
    for (const scenario of WRITE_SCENARIOS.filter(({ name }) => /^(replace|append)/.test(name))) {
      for (const crash of await crashesOf(scenario)) {
        const disk = crash.disk.copy()
        const file = await disk.openEnd(TRANSCRIPT)
        await file.write(new TextEncoder().encode(theirs))
        const whole = disk.text(TRANSCRIPT)
        await recoverWrites(testWriter(disk, LOOKS))
        expect(disk.text(TRANSCRIPT)).toBe(whole)
      }
    }
  })

  it('was tried at more than 500 places', () => {
    console.info(`${kills} kills, 0 losses`)
    expect(kills).toBeGreaterThan(500)
  })
})
