// Passkeys: what the API asks the browser for, and what the browser answers.

/** PasskeyRefused: the person, or the browser, gave no passkey. */
export class PasskeyRefused extends Error {}

interface Asked { challenge: string; options: string }

export const hasPasskeys = () => typeof PublicKeyCredential !== 'undefined' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

async function answer(asked: Promise<Credential | null>): Promise<string> {
  try {
    const given = await asked;
    if (given instanceof PublicKeyCredential) return JSON.stringify(given.toJSON());
  } catch { /* the browser does not say why, so that a page learns nothing */ }
  throw new PasskeyRefused();
}

/** provePasskey asks for a passkey that there is. */
export async function provePasskey({ challenge, options }: Asked) {
  const { publicKey } = JSON.parse(options) as { publicKey: PublicKeyCredentialRequestOptionsJSON };
  const asked = navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(publicKey) });
  return { challenge, answer: await answer(asked) };
}

/** makePasskey makes a new one. */
export async function makePasskey({ challenge, options }: Asked) {
  const { publicKey } = JSON.parse(options) as { publicKey: PublicKeyCredentialCreationOptionsJSON };
  const asked = navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(publicKey) });
  return { challenge, answer: await answer(asked) };
}
