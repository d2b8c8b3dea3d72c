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
    // A build is made once for each version. Keeping 200 MB of its steps, and maps to sources that neither Node nor a
    // browser reads, took two fifths of its processor time.
    turbopackFileSystemCacheForBuild: false,
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
