// identity-providers: Portaria as an OpenID Connect relying party. Owns: the providers the operator connected, discovery, the round trip
// (code, PKCE, state, nonce, iss), a provider's claims about a user, and its access tokens. Does not own: the account of an identity
// (users), the pages around the round trip (sign-in).
export { type AccessTokens, createAccessTokens } from './access-tokens.ts'
export { addProvider, draftProvider, insertProvider } from './change/add-provider.ts'
export { applyProviderChange, changeProvider } from './change/change-provider.ts'
export type { NewProvider, ProviderRefusal } from './change/refuse-provider.ts'
export { deleteProvider, removeProvider } from './change/remove-provider.ts'
export { createDiscovery, createDraftDiscovery, type Discovery, PROVIDER_TIMEOUT_SECONDS } from './discovery.ts'
export { type Explained, explainNetworkFault, NETWORK_FAULTS } from './network-fault.ts'
export { createOfferedProviders, type ListOfferedProviders } from './offered-providers.ts'
export { findPreset, markOf, PROVIDER_PRESETS } from './presets.ts'
export { type IdentityProvider, PROVIDER_KINDS, type ProviderKind, providerVersion } from './provider.ts'
export { beginRoundTrip } from './round-trip/begin-round-trip.ts'
export { finishRoundTrip } from './round-trip/finish-round-trip.ts'
export { forgetOldAttempts, providerStore } from './store.ts'
export { FINDING_CODES, type ProviderFinding, testProvider } from './test-provider.ts'
export { isSubject, type VerifiedIdentity } from './verified-identity.ts'
