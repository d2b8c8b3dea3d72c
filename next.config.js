/**
 * `PLIMSOLL_DIST` moves the build output, so that a test run or a second checkout process can build without
 * touching the one that is being served.
 * @type {import('next').NextConfig}
 */
const config = {
  distDir: process.env.PLIMSOLL_DIST || '.next',
  reactCompiler: true,
  poweredByHeader: false,
  devIndicators: false,
  // Generated notes do not belong into the tree.
  agentRules: false,
  // Native and worker-starting packages are loaded from node_modules, not bundled.
  serverExternalPackages: [
    'libsql',
    '@libsql/client',
    '@prisma/adapter-libsql',
    '@prisma/client',
    'js-tiktoken',
  ],
  // Types are checked once, by `npm run check`; a build on an operator's machine need not repeat it.
  typescript: { ignoreBuildErrors: true },
  images: { unoptimized: true },
  experimental: {
    // What was made ready for a press is old after half a minute, which is the least that can be said here.
    staleTimes: { static: 30 },
    // The same compiler in the builder itself: as a plugin of Babel, which one process after the other asks, it made a
    // build a third longer.
    turbopackRustReactCompiler: true,
    // For "npm run build", which comes again and again. Where a build is made once for each version, keeping 200 MB of its
    // steps takes a quarter more of its processor time.
    turbopackFileSystemCacheForBuild: process.env.PLIMSOLL_KEEP_STEPS === '1',
    // Neither Node nor a browser reads maps to sources.
    turbopackSourceMaps: false,
    turbopackInputSourceMaps: false,
    // Each page is loaded when it is first asked for: the first answer need not wait for all others.
    preloadEntriesOnStart: false,
    // A save sends two texts of a configuration file as JSON, each of at most 1 MiB before it (lib/core/policy/size-limit.ts).
    serverActions: { bodySizeLimit: '5mb' },
    // Route types are reached through next-env.d.ts; without this every other dist folder would be written into tsconfig.json.
    strictRouteTypes: true,
  },
}

export default config
