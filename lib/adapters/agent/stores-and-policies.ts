// One module, so that what its parts share is in few files of the package.
export { discoverStores } from '../discovery/discover'
export { openPolicyFile } from '../policy/policy-files'
export { createStoreReader } from '../stores/store-reader'
