import { defineConfig } from 'vitest/config'

/** Tests against the real clients from npm; slow, so apart from `npm test`. */
export default defineConfig({
  test: {
    include: ['lib/testing/clients/*.clients.ts'],
    testTimeout: 600_000,
    hookTimeout: 300_000,
    env: { TZ: 'UTC' },
  },
})
