artifact=fish.payara.distributions:payara:6.2025.10:zip
folder=payara6
. "$here/asadmin.sh"
