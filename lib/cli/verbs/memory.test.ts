import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { taskFolder } from '../../adapters/memory/task-folder'
import { migrationsFolder } from '../../config/paths'
import { changeTasks, type TaskChange } from '../../core/memory/change-tasks'
import { statedFact } from '../../core/memory/extract-facts'
import { NO_TASKS } from '../../core/memory/task'
import { openFacts } from '../../db/open-facts'
import { runCli } from '../../testing/run-cli'
import { temporaryFolder, writeFiles } from '../../testing/store-folder'

function home(settings = 'workspaces: [ws]\n') {
  const folder = temporaryFolder()
  writeFiles(folder, {
    'ws/memory/2026-11-20.md': 'The crane controller logs to /var/log/crane.log.',
    'plimsoll.yaml': settings,
  })
  const env = {
    HOME: folder,
    PLIMSOLL_HOME: join(folder, 'state'),
    PLIMSOLL_STORES: join(folder, 'none'),
    PLIMSOLL_CONFIG: join(folder, 'plimsoll.yaml'),
  }
  const run = (...argv: readonly string[]) => runCli(argv, { env, cwd: folder })
  const json = async (...argv: readonly string[]) => JSON.parse((await run(...argv, '--json')).stdout)
  return { folder, run, json }
}

describe('plimsoll memory', () => {
  test('L1, L2: facts are added, listed, found, contradicted and forgotten', async () => {
    const { run, json } = home()
    expect((await run('memory', 'list')).stdout).toBe('No facts are kept (database).\n')
    const first = await json('memory', 'add', 'The', 'API listens on port 8081.', '--tag', 'api')
    expect(first).toMatchObject({ isNew: true, replaced: [] })
    expect(await json('memory', 'add', 'the API listens on port 8081')).toMatchObject({
      id: first.id,
      isNew: false,
    })
    const second = await run('memory', 'add', 'The API listens on port 9090.')
    expect(second.stdout).toContain(`It takes the place of ${first.id}`)
    const found = await json('memory', 'search', 'API', 'port')
    expect(found.facts.map(({ state }: { state: string }) => state).toSorted()).toEqual([
      'active',
      'contradicted',
    ])
    const forgotten = await run('memory', 'forget', first.id)
    expect(forgotten).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^1 fact forgotten for good; .*\n {2}The API listens on port 8081\.\n$/),
    })
    expect((await json('memory', 'list')).facts).toHaveLength(1)
  })

  test('G2: search also looks into memory files; what is found names its line', async () => {
    const { run, json } = home()
    const { recalled } = await json('memory', 'search', 'crane controller')
    expect(recalled).toMatchObject([{ source: 'memory/2026-11-20.md', origin: 'memory', line: 1 }])
    expect((await run('memory', 'search', 'crane')).stdout).toContain('memory/2026-11-20.md:1')
    expect((await run('memory', 'search', 'zeppelin')).stdout).toContain('(1 piece of 1 source)')
    expect(await json('memory', 'search', 'crane', '--facts')).not.toHaveProperty('recalled')
  })

  test('no credential is printed, nor what was read out of one', async () => {
    const { folder, run } = home()
    const [word, key] = ['hunter2hunter2', 'sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWx0123']
    expect(await run('memory', 'add', `The vault key is ${key}.`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('looks like a credential'),
    })
    await run('memory', 'list')
    // Others write facts as well, and older ones may hold anything.
    const opened = openFacts(join(folder, 'state', 'plimsoll.db'), migrationsFolder())
    if (!opened.ok) throw new Error(opened.message)
    const some = { source: 'task:t', tags: [`token=${key}`] }
    const texts = [`password: ${word} for postgres://u:${word}@h/db`, `The vault key is ${key}.`]
    await opened.facts.put(
      texts.map((text, at) => ({
        ...statedFact(text, some),
        id: `f${at}`,
        scope: `token=${key}`,
        state: 'active',
        replacedBy: null,
        at,
        confirmedAt: at,
      })),
    )
    opened.close()
    for (const form of [[], ['--json']]) {
      const { stdout } = await run('memory', 'list', ...form)
      expect(stdout).toContain('•••')
      expect(stdout).not.toContain(word)
      expect(stdout).not.toContain(key)
    }
  })

  test('wrong use is refused with what to do, and changes nothing', async () => {
    const { run } = home()
    for (const [argv, message] of [
      [['memory', 'look'], 'memory knows list, search, add, forget'],
      [['memory', 'search'], 'Say what to look for'],
      [['memory', 'add', ' '], 'Say what is to be remembered'],
      [['memory', 'list', 'x'], 'takes no words'],
      [['memory', 'forget', 'nope'], 'No fact is called nope; nothing was forgotten.'],
      [['memory', 'add', 'x'.repeat(1_001)], 'belong into a memory file'],
    ] as const) {
      const { code, stderr } = await run(...argv)
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
    }
  })

  test('L3: a SurrealDB that is down is said to be down, and the database is used instead', async () => {
    const { run } = home('knowledge: { surrealdb: { url: "http://127.0.0.1:1", timeoutSeconds: 1 } }\n')
    const added = await run('memory', 'add', 'The mast is 20 m high.')
    expect(added.code).toBe(0)
    expect(added.stderr).toContain('SurrealDB at http://127.0.0.1:1 cannot be used, database is used instead')
    expect((await run('memory', 'list')).stdout).toContain('The mast is 20 m high.')
  })
})

describe('plimsoll tasks', () => {
  const add = (id: string, dependencies: readonly string[] = [], parent?: string): TaskChange => ({
    kind: 'add',
    task: { id, title: `Task ${id}`, dependencies, ...(parent === undefined ? {} : { parent }) },
  })

  async function keep(folder: string, session: string, changes: readonly TaskChange[]) {
    let tree = NO_TASKS
    for (const change of changes) {
      const done = changeTasks(tree, change, 1_000)
      if (!done.ok) throw new Error(done.problem)
      tree = done.tree
    }
    await taskFolder(join(folder, 'state', 'memory')).save(session, { tree, marks: {}, recalled: {} })
  }

  test('K4: trees with what waits for what; rings fail a check', async () => {
    const { folder, run, json } = home()
    const nothing = await run('tasks')
    expect(nothing.stdout).toContain(
      `No agent keeps tasks. Looked in:\n  ${join(folder, 'state', 'memory')}\n`,
    )
    await keep(folder, 'agent:main:main', [add('w'), add('w.1', [], 'w'), add('x', ['w', 'gone'])])
    expect((await json('tasks')).sessions).toMatchObject([
      {
        session: 'agent:main:main',
        total: 3,
        done: 0,
        rings: 0,
        tasks: [
          { id: 'w', depth: 0, state: 'waiting' },
          { id: 'w.1', depth: 1, state: 'ready' },
          {
            id: 'x',
            state: 'waiting',
            waits: [
              { id: 'w', why: 'pending' },
              { id: 'gone', why: 'missing' },
            ],
          },
        ],
      },
    ])
    expect((await run('tasks', '--check')).code).toBe(0)
    const artifacts = ['token=ghp_abcdefghijklmnopqrstuvwxyz0123456789']
    await keep(folder, 'agent:third:main', [
      add('s'),
      { kind: 'start', id: 's' },
      { kind: 'complete', id: 's', summary: `Found ${artifacts[0]}`, artifacts },
    ])
    expect((await run('tasks', '--json')).stdout).not.toContain('ghp_')
    await keep(folder, 'agent:other:main', [add('a', ['b']), add('b', ['a'])])
    const checked = await run('tasks', '--check', '--session', 'agent:other')
    expect(checked).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('1 ring of tasks that wait for each other'),
    })
    expect((await run('tasks', '--session', 'nobody')).code).toBe(2)
  })

  test('K6: a file that cannot be used is reported, the others are shown', async () => {
    const { folder, run } = home()
    await keep(folder, 'agent:main:main', [add('w')])
    writeFileSync(join(folder, 'state', 'memory', 'tasks', `${'0'.repeat(32)}.json`), '{')
    const { stdout, stderr } = await run('tasks')
    expect(stdout).toContain('Task w')
    expect(stderr).toContain('holds no tasks and is left out: it is no JSON. Move it away')
  })
})
