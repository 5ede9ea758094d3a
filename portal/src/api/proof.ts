import { createContext, use } from 'react';

type WhenProven = <T>(ask: () => Promise<T>) => Promise<T>;

/** Provided to every page that needs a sign-in. */
export const ProofContext = createContext<WhenProven>((ask) => ask());

/** Makes a call. If it needs a fresh proof of identity, asks for one and makes the call again. */
export const useWhenProven = (): WhenProven => use(ProofContext);
