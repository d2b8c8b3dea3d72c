import { DEMO, EMPTY, START_TIMEOUT, type World, test as worldTest } from './world'

/** Tests that only read: relative addresses lead to the demo, `empty` has no store at all. */
export const test = worldTest.extend<{ readonly demo: World; readonly empty: World }>({
  demo: [async ({ shared }, use) => use(await shared(DEMO)), { timeout: START_TIMEOUT }],
  empty: [async ({ shared }, use) => use(await shared(EMPTY)), { timeout: START_TIMEOUT }],
  baseURL: async ({ demo }, use) => use(demo.url),
})
