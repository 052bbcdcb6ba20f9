artifact=org.glassfish.main.distributions:glassfish:7.0.21:zip
folder=glassfish7
. "$here/asadmin.sh"
