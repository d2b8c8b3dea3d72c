import { chmodSync, chownSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { settingsHash } from '../../config/settings-file'
import { addTrust } from '../../config/trust'
import { readSetup } from '../../testing/read-setup'
import { temporaryFolder } from '../../testing/store-folder'
import { openPolicies } from './policies'

let home = ''
let folder = ''
beforeEach(() => {
  home = temporaryFolder()
  folder = join(home, '.config', 'plimsoll')
  mkdirSync(folder, { recursive: true })
})

const PART = 'COLD_STORAGE_PATH: /srv/part\n'

/** Our own file as it is read, with what it includes. */
async function ownFile(cwd = home) {
  const read = readSetup({ HOME: home, PLIMSOLL_HOME: join(home, 'state') }, cwd)
  if (!read.ok) throw new Error(read.problems.join('\n'))
  const [own] = await openPolicies(read.setup, []).documents()
  if (own === undefined) throw new Error('there is no file of ours')
  return { patch: own.file.patch, problems: own.file.problems.filter(({ severity }) => severity === 'error') }
}

const OBEYED = { patch: { coldStorage: { path: '/srv/part' } }, problems: [] }

/** One problem, in our own file at its `$include`, with these words; nothing of the included file counts. */
const refusedWith = (file: string, ...words: string[]) => ({
  patch: {},
  problems: [
    { severity: 'error', file, line: 1, column: 11, key: '$include', message: messageWith(...words) },
  ],
})
const messageWith = (...words: string[]) => ({
  asymmetricMatch: (message: unknown) =>
    typeof message === 'string' &&
    ['cannot include "part.yaml"', ...words].every((part) => message.includes(part)),
})

describe('X20 a file that our settings file includes', () => {
  it('in the settings folder is obeyed while no other account could have written it', async () => {
    const file = join(folder, 'plimsoll.yaml')
    const part = join(folder, 'part.yaml')
    writeFileSync(file, '$include: part.yaml\n')
    writeFileSync(part, PART)
    expect(await ownFile()).toEqual(OBEYED)
    for (const mode of [0o664, 0o646]) {
      chmodSync(part, mode)
      expect(await ownFile()).toEqual(refusedWith(file, `chmod go-w ${part}`))
    }
  })

  it('may be a link, and is judged by the file that it leads to', async () => {
    const file = join(folder, 'plimsoll.yaml')
    const part = join(folder, 'part.yaml')
    const elsewhere = join(temporaryFolder(), 'elsewhere.yaml')
    writeFileSync(file, '$include: part.yaml\n')
    writeFileSync(elsewhere, PART)
    symlinkSync(elsewhere, part)
    expect(await ownFile()).toEqual(OBEYED)
    chmodSync(elsewhere, 0o666)
    expect(await ownFile()).toEqual(refusedWith(file, 'can be written by other accounts'))
  })

  // Only root can give a file away.
  it.runIf(process.getuid?.() === 0)('is refused when it belongs to another account', async () => {
    const file = join(folder, 'plimsoll.yaml')
    const part = join(folder, 'part.yaml')
    writeFileSync(file, '$include: part.yaml\n')
    writeFileSync(part, PART)
    chownSync(part, 65_534, 65_534)
    expect(await ownFile()).toEqual(refusedWith(file, 'belongs to another account (number 65534)', 'chown'))
  })

  it.each([
    ['changed after it was trusted', (part: string) => writeFileSync(part, PART.replace('part', 'changed'))],
    ['as it was then', () => {}],
    [
      'by way of a link',
      (part: string) => {
        const elsewhere = join(temporaryFolder(), 'elsewhere.yaml')
        writeFileSync(elsewhere, PART)
        symlinkSync(elsewhere, `${part}.link`)
        writeFileSync(part, '$include: part.yaml.link\n')
      },
    ],
  ])('in the working folder is never obeyed: %s', async (_how, change) => {
    const work = temporaryFolder()
    const file = join(work, 'plimsoll.yaml')
    const part = join(work, 'part.yaml')
    const text = '$include: part.yaml\n'
    writeFileSync(file, text)
    writeFileSync(part, PART)
    addTrust(join(home, 'state'), file, settingsHash(text), 0)
    change(part)
    expect(existsSync(part)).toBe(true)
    expect(await ownFile(work)).toEqual(refusedWith(file, `${part} is not read`, 'trust', '--config'))
  })
})
