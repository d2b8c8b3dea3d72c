import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/store-folder'
import { readSettingsFile, settingsHash, settingsRefusal } from './settings-file'
import { addTrust } from './trust'

test('settings are read up to 1 MiB, and beyond it the message says what to do', () => {
  const folder = temporaryFolder()
  const path = join(folder, 'plimsoll.yaml')
  const text = `# ${'x'.repeat(1024 * 1024 - 3)}\n`
  writeFileSync(path, text)
  expect(readSettingsFile({ path, origin: 'named' }, folder)).toEqual({ ok: true, text })
  writeFileSync(path, `${text}\n`)
  expect(readSettingsFile({ path, origin: 'named' }, folder)).toEqual({
    ok: false,
    reason: 'unreadable',
    message: `${path} has 1048577 bytes; no configuration is larger than 1048576. Take out of it what is no setting`,
  })
})

// Windows has neither owners nor such bits.
test.skipIf(process.platform === 'win32')(
  'a settings file is judged by the file that was read, not by what lies at its path since',
  () => {
    const home = temporaryFolder()
    const path = join(home, 'plimsoll.yaml')
    writeFileSync(path, 'stores: []\n', { mode: 0o600 })
    const place = { path, origin: 'named' } as const
    const uid = process.geteuid?.() ?? 0
    const read = { text: 'hooks: {}\n', uid, mode: 0o100600 }
    expect(settingsRefusal(place, read, home)).toBeNull()
    expect(settingsRefusal(place, { ...read, mode: 0o100664 }, home)).toContain(`chmod go-w ${path}`)
    expect(settingsRefusal(place, { ...read, uid: uid + 1 }, home)).toContain('belongs to another account')
    chmodSync(path, 0o666)
    expect(settingsRefusal(place, read, home)).toBeNull()
    const working = { path, origin: 'working-folder' } as const
    expect(settingsRefusal(working, read, home)).toContain('you have not trusted it')
    addTrust(home, path, settingsHash(read.text), 0)
    expect(settingsRefusal(working, read, home)).toBeNull()
  },
)
