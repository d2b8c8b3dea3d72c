import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { countExact } from '../../core/tokens/exact'
import { TranscriptBuilder } from '../../testing/builders/transcript'
import { runCli } from '../../testing/run-cli'
import { sharedFolder } from '../../testing/store-folder'

const folder = sharedFolder()
const env = { HOME: join(folder, 'home'), PLIMSOLL_HOME: join(folder, 'state') }

const QUESTION = 'Where is the barrel with the walrus tusks?'

function transcript(model: string): string {
  const file = join(folder, `${model}.jsonl`)
  const builder = new TranscriptBuilder({ id: model })
  builder.user(QUESTION)
  builder.assistant('In the hold.', { model, usage: { input: 900, output: 6 } })
  writeFileSync(file, builder.text())
  return file
}

describe('plimsoll context --exact', () => {
  it('counts each entry, in the tokenizer of the model', async () => {
    const run = await runCli(['context', transcript('gpt-5'), '--exact', '--json'], { env })
    const report = JSON.parse(run.stdout)
    const { tokens } = await countExact(QUESTION)
    const [first] = report.entries
    expect(first).toMatchObject({ role: 'user', exact: { tokens, basis: 'exact for o200k_base' } })
    expect(first.tokens).toEqual(expect.any(Number))
    expect(report.exact).toMatchObject({ tokens, modelsOwn: true, entries: 1, unreadable: 0 })
  })

  it('says of other models that it is an estimate, and is silent unless asked', async () => {
    const file = transcript('claude-sonnet-4-5')
    const run = await runCli(['context', file, '--exact'], { env })
    expect(run.stdout).toContain('estimate by o200k_base')
    expect(run.stdout).toContain('Not the tokenizer of claude-sonnet-4-5')
    expect(run.stdout).not.toContain('exact for')
    const plain = JSON.parse((await runCli(['context', file, '--json'], { env })).stdout)
    expect(plain.exact).toBeUndefined()
    expect(plain.entries[0].exact).toBeUndefined()
  })
})

describe('X20 credentials', () => {
  it('are covered in what is printed, until they are to be revealed', async () => {
    const secret = ['gh', 'p_', 'Zx81Qw72Er63Ty54Ui45Op36'].join('')
    const file = join(folder, 'secret.jsonl')
    const builder = new TranscriptBuilder({ id: 'secret' })
    builder.entry('session_info', { name: `uses ${secret}` })
    builder.user(`use ${secret} for the barrels`)
    builder.assistant('I shall.', { usage: { input: 900, output: 6 } })
    writeFileSync(file, builder.text())
    for (const verb of [
      ['context', file],
      ['sessions', '--store', file],
    ]) {
      for (const form of [[], ['--json']]) {
        const covered = (await runCli([...verb, ...form], { env })).stdout
        expect(covered).not.toContain(secret)
        expect(covered).toContain('•••')
        const revealed = (await runCli([...verb, ...form, '--reveal'], { env })).stdout
        expect(revealed).toContain(verb[0] === 'sessions' && form.length === 0 ? secret.slice(0, 20) : secret)
      }
    }
    const tokens = async (...more: string[]) =>
      JSON.parse((await runCli(['context', file, '--json', ...more], { env })).stdout).total
    expect(await tokens()).toEqual(await tokens('--reveal'))
  })
})

it('X20 names lines that cannot be read, on standard error', async () => {
  const file = join(folder, 'broken.jsonl')
  const builder = new TranscriptBuilder({ id: 'broken' })
  builder.user(QUESTION)
  builder.raw('{"type":"message","id":"torn","mess')
  builder.assistant('In the hold.', { usage: { input: 900, output: 6 } })
  writeFileSync(file, builder.text())
  const run = await runCli(['context', file, '--json'], { env })
  expect(run.code).toBe(0)
  expect(run.stderr).toContain(`${file}:3 cannot be read: `)
  expect(JSON.parse(run.stdout).entries).toHaveLength(1)
})
