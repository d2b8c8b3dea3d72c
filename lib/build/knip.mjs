// What is used by nothing, for `npm run check`. With `--production` tests do not count as users, and an export that only
// its own file and its tests use is right.
const isProduction = process.argv.includes('--production')

/** @type {import('knip').KnipConfig} */
export default {
  entry: [
    'lib/public/{index,core,knowledge}.ts!',
    'lib/cli/{main.ts,end-with-npm.cjs}!',
    // Started as threads and processes, by paths that are put together.
    'lib/cli/serve/dashboard-server.cjs!',
    'lib/compose/ingest/import-worker.ts!',
    'lib/compose/replay/replay-worker.ts!',
    'lib/adapters/sqlite/child.cjs!',
    'lib/build/{start,run-build,pack,pack-agent,test,check,bench,mutate,fuzz,hops,warm-up}.mjs!',
    // Compiled by AssemblyScript.
    'lib/adapters/jsonl/assembly/{line-skeleton,text-machine}.ts!',
    'lib/testing/bench/main.ts',
    'lib/testing/children/*.{ts,mjs}',
    'lib/testing/clients/*.clients.ts',
    'lib/testing/mutation/*.{ts,mjs}',
    'e2e/{ten-line-agent.mjs,audit-writer.ts}',
  ],
  project: [
    '{app,components,lib}/**/*.{ts,tsx,mjs,cjs,css}!',
    '*.{ts,js,mjs}!',
    'e2e/**/*.{ts,mjs}',
    '!lib/db/generated/**',
    '!lib/testing/**!',
    '!**/*.test.{ts,tsx}!',
  ],
  ignoreExportsUsedInFile: isProduction,
  ignoreDependencies: [
    // Started by the path of their scripts.
    '@biomejs/biome',
    'assemblyscript',
    'prisma',
    // Imported by the generated client alone.
    '@prisma/client',
    // Loaded by Stryker, by its name.
    '@stryker-mutator/vitest-runner',
  ],
}
