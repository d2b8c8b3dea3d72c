import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('.', import.meta.url)).replace(/[\\/]$/, '') } },
  test: {
    include: ['{app,components,lib,prisma}/**/*.test.{ts,tsx}'],
    env: { TZ: 'UTC' },
    // Two cores are what small machines have; tests that start processes need one of them.
    maxWorkers: 2,
    testTimeout: 20_000,
  },
})
