import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const addressOf = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)

/** What a process says that has two tests, one of which fails; what the other asks for is made once and kept. */
function play(steps: string) {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-room-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const script = `
    const { beginFile, expect, it } = await import(${addressOf('stand-in.mjs')})
    const { roomRunner } = await import(${addressOf('room-runner.mjs')})
    const runner = new roomRunner.injectableClass({ info: () => {} })
    let made
    beginFile('a.test.ts')
    it('made once', () => { made ??= globalThis.__stryker__.activeMutant ?? 'no mutant'; expect(made).toBe('no mutant') })
    it('wrong', () => expect(1).toBe(2))
    const tried = async () => (await runner.mutantRun({ activeMutant: { id: '7' }, testFilter: ['0'] })).status
    const said = []
    ${steps}
    console.log(JSON.stringify(said))`
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: folder,
    encoding: 'utf8',
  })
  return { folder, said: JSON.parse(out) as string[] }
}

it('E17: a process in which no test has run tries no mutant: what is made once would be made under it', () => {
  const { said } = play(`
    said.push(await tried().catch(({ message }) => message))
    await runner.warmUp(['1'])
    said.push(await tried())`)
  expect(said).toEqual(['no test has run in this process yet', 'survived'])
})

it('E17: the first run says which tests are left out', () => {
  const { folder, said } = play(`
    const { tests } = await runner.dryRun()
    said.push(...tests.map(({ id }) => id), await tried())`)
  expect(said).toEqual(['0', 'survived'])
  expect(JSON.parse(readFileSync(join(folder, 'tests-left-out.json'), 'utf8'))).toEqual(['1'])
})

it('E17: a test that passes but once is left out: it would seem to see every mutant', () => {
  const { folder, said } = play(`
    let runs = 0
    const again = () => {
      const { perTest } = (globalThis.__stryker__.mutantCoverage ??= { static: {}, perTest: {} })
      perTest[globalThis.__stryker__.currentTestId] = { 7: 1 }
    }
    it('passes once', () => { again(); runs += 1; expect(runs).toBe(1) })
    it('passes', again)
    const { tests, mutantCoverage } = await runner.dryRun()
    said.push(...tests.map(({ id }) => id), ...Object.keys(mutantCoverage.perTest))`)
  expect(said).toEqual(['0', '3', '3'])
  expect(JSON.parse(readFileSync(join(folder, 'tests-left-out.json'), 'utf8'))).toEqual(['1', '2'])
})

it('E17: a mutant that leaves a wrong answer behind is tried where no other was, and is the last one there', () => {
  const steps = `
    let kept = 'right'
    it('asks for what is kept', () => {
      if (globalThis.__stryker__.activeMutant === '8') kept = 'wrong'
      expect(kept).toBe('right')
    })
    const spoils = async () => (await runner.mutantRun({ activeMutant: { id: '8' }, testFilter: ['2'] })).status
    const spoken = (asked) => asked().catch(({ message }) => message)
    await runner.warmUp(['1'])`
  const left = 'an earlier mutant has left something behind'
  expect(play(`${steps}\nsaid.push(await spoken(spoils), await spoken(tried))`).said).toEqual([
    'killed',
    left,
  ])
  expect(play(`${steps}\nsaid.push(await spoken(tried), await spoken(spoils))`).said).toEqual([
    'survived',
    left,
  ])
})
