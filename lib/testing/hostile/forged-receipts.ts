import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The place of a forger: he may write into the state folder, and does not have its key. */
export type Forger = {
  /** The state folder. */
  readonly home: string
  /** A store that is known here, real path. */
  readonly store: string
  /** A file of the operator outside of every store. */
  readonly victim: string
  /** Milliseconds since the epoch: when the forged write is said to have been. */
  readonly at: number
}

const EVIL = 'ssh-ed25519 of the attacker\n'

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

const stateOf = (text: string) => ({
  ...{ dev: '1', ino: '1', size: Buffer.byteLength(text), mtimeNs: '1', mode: 0o600, uid: 0, gid: 0 },
  hash: hashOf(text),
})

function put(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

type Forged = { readonly id: string; readonly state: 'done' | 'pending'; readonly [field: string]: unknown }

/** Writes a receipt as a release without signatures wrote it. @returns its id */
function forge({ home, at }: Forger, forged: Forged): string {
  const receipt = {
    ...{
      kind: 'repair',
      at,
      actor: 'cli',
      reason: 'A repair.',
      session: null,
      store: 'openclaw',
      summary: {},
    },
    ...{ undoneBy: null, undoes: null, problem: null, verified: true },
    ...forged,
  }
  const ending = forged.state === 'pending' ? '.open.json' : '.json'
  put(join(home, 'receipts', `${forged.id}${ending}`), `${JSON.stringify(receipt, null, 2)}\n`)
  return forged.id
}

/** Content of the attacker under its hash among the backups, as if we had kept it. */
function plantBackup(home: string): string {
  return put(join(home, 'backups', hashOf(EVIL)), EVIL)
}

/** Receipts that would have bytes of an attacker written; each answers its id. */
export const FORGERIES: Readonly<Record<string, (forger: Forger) => string>> = {
  'an undo that writes a file of the operator from a backup elsewhere': (forger) => {
    const { victim, store } = forger
    const backup = put(join(dirname(victim), 'evil', 'backup'), EVIL)
    const after = stateOf(readFileSync(victim, 'utf8'))
    const files = [{ path: victim, before: stateOf(EVIL), after, backup }]
    return forge(forger, { id: '20200101T000000000-forged1', state: 'done', root: store, files })
  },
  'an undo whose root is the folder of that file': (forger) => {
    const { victim, home } = forger
    const after = stateOf(readFileSync(victim, 'utf8'))
    const files = [{ path: victim, before: stateOf(EVIL), after, backup: plantBackup(home) }]
    return forge(forger, { id: '20200101T000000000-forged2', state: 'done', root: dirname(victim), files })
  },
  'a path with .. below a known store': (forger) => {
    const { victim, home, store } = forger
    const path = `${store}/../${victim.slice(dirname(store).length + 1)}`
    const after = stateOf(readFileSync(victim, 'utf8'))
    const files = [{ path, before: stateOf(EVIL), after, backup: plantBackup(home) }]
    return forge(forger, { id: '20200101T000000000-forged3', state: 'done', root: store, files })
  },
  'an undo that takes a file of the operator away': (forger) => {
    const { victim } = forger
    const files = [{ path: victim, before: null, after: stateOf(readFileSync(victim, 'utf8')), backup: null }]
    return forge(forger, { id: '20200101T000000000-forged4', state: 'done', root: dirname(victim), files })
  },
  'an interrupted write that the next start would roll back over that file': (forger) => {
    const { victim, home } = forger
    const after = stateOf(readFileSync(victim, 'utf8'))
    const files = [
      { path: victim, before: stateOf(EVIL), after, backup: plantBackup(home) },
      // What cannot have happened, so that all of it is rolled back.
      { path: join(dirname(victim), 'nothing'), before: null, after: stateOf('x'), backup: null },
    ]
    return forge(forger, { id: '20200101T000000000-forged5', state: 'pending', root: dirname(victim), files })
  },
}

/** Changes of a good, signed receipt; each answers the text that is in its file afterwards, under its id. */
export const ALTERATIONS: Readonly<
  Record<string, (text: string, forger: Forger) => { readonly text: string; readonly id?: string }>
> = {
  'another path': (text, { victim }) => ({
    text: JSON.stringify({
      ...JSON.parse(text),
      files: JSON.parse(text).files.map((file: object) => ({ ...file, path: victim })),
    }),
  }),
  'another state': (text) => ({ text: text.replace('"state": "undone"', '"state": "done"') }),
  'its reason': (text) => ({ text: text.replace(/"reason": "/, '"reason": "Really: ') }),
  'a field more': (text) => ({ text: text.replace('{', '{"by": "openclaw",') }),
  'without its signature': (text) => {
    const { proof, ...rest } = JSON.parse(text)
    return { text: JSON.stringify(rest) }
  },
  'another signature': (text) => ({
    text: text.replace(/"mac": "[0-9a-f]+"/, `"mac": "${randomBytes(32).toString('hex')}"`),
  }),
  'a signature that is none': (text) => ({ text: text.replace(/"mac": "[0-9a-f]+"/, '"mac": 1') }),
  'the key of another state folder': (text) => ({
    text: text.replace(/"key": "[0-9a-f]+"/, `"key": "${randomBytes(8).toString('hex')}"`),
  }),
  'the name of another receipt': (text) => ({ text, id: '20990101T000000000-copied' }),
}
