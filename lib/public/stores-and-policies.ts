// One module, so that what its parts share is in few files of the package.
export { discoverStores } from '../adapters/discovery/discover'
export { openPolicyFile } from '../adapters/policy/policy-files'
export { createStoreReader } from '../adapters/stores/store-reader'
