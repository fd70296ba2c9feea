// identity-providers: Portaria as an OpenID Connect relying party. Owns: the providers the operator connected, discovery, the round trip
// (code, PKCE, state, nonce, iss), a provider's claims about a user, and its access tokens. Does not own: the account of an identity
// (users), the pages around the round trip (sign-in).
export { type AccessTokens, createAccessTokens } from './access-tokens.ts'
export {
  addProvider,
  applyProviderChange,
  changeProvider,
  deleteProvider,
  draftProvider,
  insertProvider,
  type NewProvider,
  type ProviderRefusal,
  removeProvider,
} from './change-provider.ts'
export { createDiscovery, createDraftDiscovery, type Discovery, PROVIDER_TIMEOUT_SECONDS } from './discovery.ts'
export { type Explained, explainNetworkFault, NETWORK_FAULTS } from './network-fault.ts'
export { findPreset, markOf, PROVIDER_PRESETS } from './presets.ts'
export { type IdentityProvider, isSubject, PROVIDER_KINDS, type ProviderKind, providerVersion, type VerifiedIdentity } from './provider.ts'
export { beginRoundTrip, finishRoundTrip } from './round-trip.ts'
export { forgetOldAttempts, providerStore } from './store.ts'
export { FINDING_CODES, type ProviderFinding, testProvider } from './test-provider.ts'
