// SPDX-License-Identifier: MIT
// The part that both versions of the TypeScript SDK share as clients and servers with logins (oauth_v1.mjs, oauth_v2.mjs).
//
// A client prints a line for each thing that it does, and reads a line for each that it waits for:
//   > open URL       the page that the user opens; the next line of the input is the redirect
//   > said TEXT      connected, or the text of a tool
//   > failed WHY     the call has failed
//   < call TOOL      calls a tool
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { createRemoteJWKSet, jwtVerify } from 'jose';

export const REDIRECT = 'http://127.0.0.1:33418/callback'; // nobody listens there: the user's redirect is read as a line
const SCOPE = 'mcp:read';
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const nextLine = async () => (await lines.next()).value;
const oneLine = text => String(text).replace(/\s+/g, ' ');

// The state of a login, as the SDK wants it kept.
export class Login {
    redirectUrl = REDIRECT;
    clientMetadata = {
        client_name: 'typescript',
        redirect_uris: [REDIRECT],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        application_type: 'native'
    };
    #kept = {};
    redirect; // the parameters of the last one

    clientInformation = () => this.#kept.client;
    saveClientInformation = client => void (this.#kept.client = client);
    tokens = () => this.#kept.tokens;
    saveTokens = tokens => void (this.#kept.tokens = tokens);
    codeVerifier = () => this.#kept.verifier;
    saveCodeVerifier = verifier => void (this.#kept.verifier = verifier);
    discoveryState = () => this.#kept.discovery;
    saveDiscoveryState = discovery => void (this.#kept.discovery = discovery);

    invalidateCredentials(scope) {
        if (scope === 'all') this.#kept = {};
        else delete this.#kept[scope];
    }

    async redirectToAuthorization(url) {
        console.log(`open ${url}`);
        this.redirect = new URL(await nextLine()).searchParams;
        if (!this.redirect.has('code')) throw new Error(`the login was refused: ${this.redirect.get('error')}`);
    }
}

// Runs a step, which may need a login, and tells how it ended.
async function tell(step) {
    try {
        console.log(`said ${await step()}`);
        return true;
    } catch (error) {
        console.log(`failed ${oneLine(error.message)}`);
        return false;
    }
}

// `connect` returns a function that calls a tool.
export async function beClient(connect) {
    let call;
    const isConnected = await tell(async () => {
        call = await connect();
        return 'connected';
    });
    for (let line; isConnected && (line = await nextLine()) !== undefined; ) {
        await tell(() => call(line.slice('call '.length)));
    }
    process.exit(0);
}

// Checks access tokens by the keys that the issuer publishes. `refuse` makes the SDK's error.
export function verifier(issuer, resource, refuse) {
    const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`));
    return {
        async verifyAccessToken(token) {
            try {
                const { payload } = await jwtVerify(token, keys, { issuer, audience: resource });
                return {
                    token,
                    clientId: payload.client_id,
                    scopes: payload.scope.split(' '),
                    expiresAt: payload.exp,
                    resource: new URL(payload.aud),
                    extra: { subject: payload.sub }
                };
            } catch (error) {
                throw refuse(error.message);
            }
        }
    };
}

export const requiredScopes = [SCOPE];
export const answers = { read: 'read for ada' };

// Serves until it is killed, and prints the port. `handle` takes a request and its response.
export function listen(handle, port) {
    const http = createServer(handle);
    http.listen(Number(port), '127.0.0.1', () => console.log(http.address().port));
}
