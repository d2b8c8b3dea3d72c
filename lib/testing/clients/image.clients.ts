import { execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const TAG = `plimsoll-check:${process.pid}`
const TOKEN = 'a-token-of-sixteen-letters'

/** What can build and run images here; its service must answer. */
const builder = ['docker', 'podman'].find(
  (name) => spawnSync(name, ['info'], { stdio: 'ignore', timeout: 20_000 }).status === 0,
)
if (builder === undefined)
  console.warn('The Dockerfile is not built here: neither docker nor podman answers.')

describe.skipIf(builder === undefined)('the image', () => {
  const run = (...args: string[]) => execFileSync(builder ?? '', args, { cwd: ROOT, encoding: 'utf8' })
  afterAll(() => void spawnSync(builder ?? '', ['rmi', '--force', TAG], { stdio: 'ignore' }))

  test('is built from the checkout, and its command answers as another account than root', () => {
    run('build', '-f', 'lib/build/Dockerfile', '-t', TAG, '.')
    expect(run('run', '--rm', TAG, '--version')).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(run('run', '--rm', '--entrypoint', 'id', TAG, '-un')).toBe('node\n')
  })

  test('serves only with a token', async () => {
    expect(spawnSync(builder ?? '', ['run', '--rm', TAG]).status).toBe(3)
    const id = run(
      'run',
      '--rm',
      '--detach',
      '--publish',
      '127.0.0.1::4747',
      '--env',
      `PLIMSOLL_TOKEN=${TOKEN}`,
      TAG,
    )
    try {
      const [address = ''] = run('port', id.trim(), '4747').split('\n')
      const status = async (headers: Record<string, string>) =>
        (await fetch(`http://${address}/`, { headers }).catch(() => null))?.status
      await expect
        .poll(() => status({ Authorization: `Bearer ${TOKEN}` }), { timeout: 60_000, interval: 500 })
        .toBe(200)
      expect(await status({})).toBe(401)
    } finally {
      run('stop', id.trim())
    }
  })
})
