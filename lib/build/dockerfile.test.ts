import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TEXT = readFileSync(new URL('Dockerfile', import.meta.url), 'utf8')

/** What the first stage copies from the checkout. */
const COPIED = [...TEXT.matchAll(/^COPY (?!--)(.*) \S+$/gm)].flatMap(([, words = '']) => words.split(' '))

/** Files and folders of the checkout that a package is not made of. */
const NOT_PACKED =
  /^(\.|node_modules|dist|e2e|test-results|playwright|biome|vitest|next-env|tsconfig\.tsbuildinfo)/

describe('the Dockerfile', () => {
  it('copies what is there, and all that a package is made of', () => {
    for (const path of COPIED) expect(existsSync(join(ROOT, path)), path).toBe(true)
    const made = readdirSync(ROOT).filter((name) => !NOT_PACKED.test(name))
    expect(made.filter((name) => !COPIED.includes(name))).toEqual([])
  })

  it('runs as an account without rights, with a token of the operator', () => {
    const last = TEXT.slice(TEXT.lastIndexOf('\nFROM '))
    expect(last).toMatch(/^USER node$/m)
    expect(last).toMatch(/^VOLUME \/state$/m)
    // Beyond loopback serve refuses to start without one; one that comes with the image would be known to all.
    expect(last).toContain('PLIMSOLL_HOST=0.0.0.0')
    expect(TEXT).not.toMatch(/PLIMSOLL_TOKEN=|OPEN_TO_LOCAL_USERS/)
  })
})
