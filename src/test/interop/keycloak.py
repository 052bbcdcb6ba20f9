"""Makes a realm in Keycloak, and checks how Runstone takes its tokens.

keycloak.py realm KEYCLOAK RUNSTONE
keycloak.py check KEYCLOAK RUNSTONE
"""

import base64
import json
import sys
import urllib.error
import urllib.parse
import urllib.request

SCOPES = ["runstone:execute", "runstone:sessions", "runstone:files", "runstone:upstream"]
CLIENTS = {  # by name, their scopes; without "audience" tokens are for another server
    "agent": [*SCOPES, "audience"],
    "lister": ["runstone:sessions", "audience"],
    "stranger": SCOPES,
}
what, keycloak, runstone = sys.argv[1:]
failures = 0


def send(method, url, body=None, token=None, form=False, headers=()):
    """Status, headers and body of an answer."""
    data = None
    if body is not None:
        data = (urllib.parse.urlencode(body) if form else json.dumps(body)).encode()
    request = urllib.request.Request(url, data, method=method, headers=dict(headers))
    request.add_header("Content-Type", "application/x-www-form-urlencoded" if form else "application/json")
    if token:
        request.add_header("Authorization", "Bearer " + token)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read().decode()


def token(realm, **form):
    status, _, body = send("POST", f"{keycloak}/realms/{realm}/protocol/openid-connect/token", form, form=True)
    if status != 200:
        sys.exit(f"FAIL no token: {status} {body}")
    return json.loads(body)["access_token"]


def of_client(name):
    return token("runstone", grant_type="client_credentials", client_id=name, client_secret=name)


def of_anna():
    login = {"client_id": "agent", "client_secret": "agent", "username": "anna", "password": "anna"}
    return token("runstone", grant_type="password", **login)


def of_admin():
    return token("master", grant_type="password", client_id="admin-cli", username="admin", password="admin")


def administer(method, path, body=None):
    status, _, answer = send(method, f"{keycloak}/admin/realms{path}", body, of_admin())
    if status >= 300:
        sys.exit(f"FAIL {method} {path}: {status} {answer}")
    return json.loads(answer or "null")


def make_realm():
    administer("POST", "", {"realm": "runstone", "enabled": True})
    audience = {
        "name": "audience",
        "protocol": "openid-connect",
        "protocolMapper": "oidc-audience-mapper",
        "config": {"included.custom.audience": runstone + "/mcp", "access.token.claim": "true"},
    }
    for name in [*SCOPES, "audience"]:
        scope = {"name": name, "protocol": "openid-connect", "attributes": {"include.in.token.scope": "true"}}
        if name == "audience":
            scope["protocolMappers"] = [audience]
        administer("POST", "/runstone/client-scopes", scope)
    for name, scopes in CLIENTS.items():
        client = {"clientId": name, "secret": name, "serviceAccountsEnabled": True, "directAccessGrantsEnabled": True}
        administer("POST", "/runstone/clients", client | {"defaultClientScopes": ["basic", *scopes]})
    anna = {"username": "anna", "enabled": True, "email": "anna@example.org", "emailVerified": True}
    names = {"firstName": "Anna", "lastName": "A", "credentials": [{"type": "password", "value": "anna"}]}
    administer("POST", "/runstone/users", anna | names)


def rotate():
    """From now on Keycloak signs with another key."""
    realm = administer("GET", "/runstone")["id"]
    config = {"priority": ["500"], "enabled": ["true"], "active": ["true"], "algorithm": ["RS256"]}
    key = {"name": "next", "providerId": "rsa-generated", "providerType": "org.keycloak.keys.KeyProvider"}
    administer("POST", "/runstone/components", key | {"parentId": realm, "config": config})


def key_of(jwt):
    return json.loads(base64.urlsafe_b64decode(jwt.split(".")[0] + "=="))["kid"]


def check(name, right, seen):
    global failures
    print(f"ok   {name}" if right else f"FAIL {name}: {seen}")
    failures += not right


def execute(jwt=None):
    status, headers, body = send("POST", runstone + "/execute", {"code": "print(6 * 7)"}, jwt)
    return status, str(headers["WWW-Authenticate"]), body


def runs(name, jwt):
    answer = execute(jwt)
    check(name, answer[0] == 200 and json.loads(answer[2])["stdout"] == "42\n", answer)


def refuses(name, jwt, status, said):
    answer = execute(jwt)
    shown = jwt is not None and jwt in answer[1] + answer[2]
    check(name, answer[0] == status and said in answer[1] and not shown, answer)


def checks():
    metadata = json.loads(send("GET", runstone + "/.well-known/oauth-protected-resource/mcp")[2])
    check("metadata names the realm", metadata["authorization_servers"] == [keycloak + "/realms/runstone"], metadata)
    agent, anna = of_client("agent"), of_anna()
    runs("a client's own token", agent)
    runs("a user's token", anna)
    refuses("no token", None, 401, "resource_metadata")
    refuses("no token at all, but text", "garbage", 401, "invalid_token")
    refuses("a token for another server", of_client("stranger"), 401, "invalid_token")
    refuses("a token of another realm", of_admin(), 401, "invalid_token")
    refuses("a token without the scope", of_client("lister"), 403, "runstone:execute")
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "k", "version": "1"}}
    initialize = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client}
    accept = {"Accept": "application/json, text/event-stream"}
    answer = send("POST", runstone + "/mcp", initialize, anna, headers=accept)
    check("an MCP session", answer[0] == 200 and answer[1]["mcp-session-id"], answer)
    sessions = runstone + "/v1/sessions/session"
    answer = send("POST", sessions, {"session_id": "annas"}, anna)
    check("a session of the user", answer[0] == 201, answer)
    answer = send("GET", sessions + "?session_id=annas", token=agent)
    check("which the client's own account does not know", answer[0] == 404, answer)
    rotate()
    after = of_anna()
    check("Keycloak signs with another key", key_of(after) != key_of(anna), key_of(after))
    runs("a token of the new key", after)
    runs("a token of the old key, which is published still", anna)
    answer = send("DELETE", sessions + "?session_id=annas", token=after)
    check("the user is the same", answer[0] == 200, answer)
    sys.exit(1 if failures else 0)


make_realm() if what == "realm" else checks()
